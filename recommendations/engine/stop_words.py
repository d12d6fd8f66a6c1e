"""Which words may not stand at an anchor's edge, and which phrases say nothing about their target.

Lists come from bm25s (Lucene's and Snowball's); what they lack is small and written here. Leaves words to `words`.
"""

from functools import cache

import bm25s.stopwords as lists

_EXTRA: dict[str, str] = {
    "en": "also anything around away back could either else etc even ever every everything get gets getting got however "
    "instead let lets like made make makes making many may maybe might much must need needs neither new next nothing "
    "one often please really shall since someone something still take takes things thing though thus together toward "
    "towards upon us use used using usually via well whatever whether whose within without would yet per across along "
    "among another already always perhaps rather quite almost though although whenever wherever "
    "go goes going want wants know see seen say says said give given come comes show shows keep keeps put",
    "de": "bereits beim bzw daher dabei dazu etwa ggf jeweils kann können müssen soll sollen sowie sowohl wurde wurden "
    "wobei z.b. u.a. d.h.",
    "fr": "afin ainsi alors après aussi avant avoir bien car ceci cela celle celui cet cette chaque comme depuis donc "
    "dont déjà encore entre faire faut leurs lors lorsque mais non où parce pendant peut peuvent plus pourquoi quand "
    "quel quelle quelles quels sans selon si sous soit tout toute toutes tous très vers voici voilà être doit",
    "es": "además así aunque cada debe dicho hace hacer hacia hasta mientras mismo pero pues puede pueden según ser "
    "si sino sobre solo sólo también tan tanto tras",
    "pt": "ainda assim cada deve então fazer onde pode podem porque quando sem ser sob sobre também",
    "it": "anche ancora cioè così deve dopo essere fare mentre ogni oppure però possono prima può quindi senza sempre "
    "solo sotto tra fra",
    "nl": "deze dit elke hier hoe hun indien kan kunnen meer moet moeten naar nog ook over sinds tot waar wanneer wat "
    "welke wij wordt worden zoals zonder",
    "ja": "の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など なっ ない この ため その あっ よう また もの "
    "という あり まで られ なる へ か だ これ によって により おり より による ず なり られる において ば なかっ なく しかし について せ だっ その後 できる "
    "それ これ あれ とき ついて ので なお のみ でき き つ における および いう さらに でも ら たり その他 に関する たち ます です ました まし ください",
    "th": "ที่ และ ใน ของ เป็น ได้ มี ให้ ไม่ จะ กับ ว่า นี้ การ โดย จาก แต่ ก็ หรือ ซึ่ง คือ ถ้า เมื่อ ไว้ อยู่ ไป มา แล้ว อีก ยัง ต้อง เพื่อ "
    "ทุก นั้น เรา คุณ ผม ฉัน เขา ถึง ต่อ ด้วย บน ตาม อย่าง สำหรับ ความ มาก หลาย",
    "zh": "的 了 在 是 和 与 與 及 或 等 也 都 就 而 但 对 對 从 從 到 为 為 以 于 於 把 被 让 讓 向 这 這 那 这个 這個 那个 那個 它 他 她 我 你 我们 我們 你们 你們 "
    "他们 他們 一 一个 一個 个 個 有 没有 沒有 不 会 會 能 可以 要 将 將 由 因为 因為 所以 如果 其 之 上 中 下 里 裡 每 请 請 进行 進行 通过 通過 以及 并 並 "
    "并且 並且 还 還 很 更 最 该 該 此 些 一些 后 後 后来 後來 然后 然後 着 過 过 地 得 去 来 來 年 月 日",
    "ar": "في من على إلى عن أن إن هذا هذه التي الذي مع كان كانت ما لا لم لن قد كل بعد قبل عند بين أو ثم كما حتى هو هي و تلك ذلك هناك لكن حيث لأن إذا عليه منه "
    "فيه به له لها يكون تكون غير الذين وقد ولم ولا أي أيضا",
    "he": "של את על עם הוא היא זה זו לא כי גם אם או אל כל יש אין אבל מה כך בין לפי רק עד הם הן אני אתה אנחנו אשר כאשר כדי "
    "וגם מאוד יותר כמו בו בה לו לה להם אחר כך שם היה היתה היו",
    "hi": "का के की में है हैं और को से पर यह वह एक नहीं भी तो ही कि इस उस था थी थे लिए कर या जो ने साथ बाद तक द्वारा तथा "
    "गया गई गए हुआ हुई हुए कोई कुछ अपने अपना अपनी वे ये इन उन होता होती होते करता करते करना उसने इसके उसके",
    "pl": "ale by być co czy dla do gdy go i ich jak jako jest jego jej już która które który lub ma może na nie o od "
    "oraz po pod przed przez przy się są także tak ten to tylko tym w we z za ze że",
    "ko": "및 등 또는 그리고 수 것 이 그 저 를 을 은 는 에 의 와 과 도 그는 그녀는 나는 우리는 있다 있습니다 있는 없는 하는 한다 합니다 위해 위한 대한 통해 따라 "
    "같은 모든 다른 이런 그런 때 때문에 경우 하고 그러나 하지만 그래서 매우 더 가장",
}

_LISTS = {
    "en": lists.STOPWORDS_EN_PLUS,
    "de": lists.STOPWORDS_GERMAN,
    "fr": lists.STOPWORDS_FRENCH,
    "es": lists.STOPWORDS_SPANISH,
    "pt": lists.STOPWORDS_PORTUGUESE,
    "it": lists.STOPWORDS_ITALIAN,
    "nl": lists.STOPWORDS_DUTCH,
    "sv": lists.STOPWORDS_SWEDISH,
    "da": lists.STOPWORDS_DANISH,
    "no": lists.STOPWORDS_NORWEGIAN,
    "nb": lists.STOPWORDS_NORWEGIAN,
    "nn": lists.STOPWORDS_NORWEGIAN,
    "ru": lists.STOPWORDS_RUSSIAN,
    "tr": lists.STOPWORDS_TURKISH,
    "ko": lists.STOPWORDS_KOREAN,
}

#: Phrases that sites use for any target, folded; a phrase of stop words alone counts as generic as well.
GENERIC_ANCHORS = frozenset(
    phrase.strip()
    for phrase in """
    click here, here, read more, learn more, more, more information, more info, more details, details, this page, this article,
    this post, this link, link, page, article, post, website, site, continue reading, find out more, see more, view more, view,
    download, see here, go here, visit, home, homepage, home page, next, previous, back, top, full story, example, examples,
    hier, hier klicken, mehr, mehr erfahren, mehr lesen, weiterlesen, mehr dazu, mehr informationen, diese seite, startseite,
    ici, cliquez ici, en savoir plus, lire la suite, lire plus, plus d'informations, cette page, accueil,
    aquí, haga clic aquí, leer más, más información, ver más, esta página, inicio,
    aqui, clique aqui, leia mais, saiba mais, mais informações, esta página, qui, clicca qui, leggi tutto, scopri di più,
    klik hier, lees meer, lees verder, meer informatie, läs mer, klicka här, les mer, læs mere, czytaj więcej, kliknij tutaj,
    tıklayın, buraya tıklayın, devamını oku, подробнее, здесь, читать далее, こちら, 詳細, 詳しくはこちら, 続きを読む, もっと見る,
    点击这里, 更多, 阅读更多, 查看更多, 详情, 여기, 더 보기, 자세히 보기, هنا, اقرأ المزيد, المزيد, כאן, קרא עוד, यहाँ, और पढ़ें
    """.split(",")
)


@cache
def stop_words_of(language: str) -> frozenset[str]:
    """Case-folded stop words of a language's primary subtag; empty for languages without a list."""
    words = set(_LISTS.get(language, ())) | set(_EXTRA.get(language, "").split())
    return frozenset(word.casefold().replace("’", "'") for word in words)
