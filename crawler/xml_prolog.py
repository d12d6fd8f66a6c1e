"""Whether an XML file declares a document type, which brings entities and with them bombs. Pure; looks at bytes alone.

Neither sitemaps nor exports have one. Leaves parsing to who asks.
"""

#: A prolog is a line or two; whatever goes on longer is no file that anybody made for reading.
MOST_PROLOG = 1024 * 1024


def has_document_type(data: bytes) -> bool | None:
    """Whether something like `<!DOCTYPE` stands before the first element; None while that is not reached yet.

    Also true where the prolog is longer than MOST_PROLOG, or what is not markup stands before the first element.
    """
    at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    while True:
        while at < len(data) and data[at] in b" \t\r\n\0":
            at += 1
        head = data[at : at + 4]
        if head.startswith(b"<?"):
            end = data.find(b"?>", at)
        elif head == b"<!--":
            end = data.find(b"-->", at)
        elif len(head) < 4 and (not head or b"<!--".startswith(head)):
            end = -1
        else:
            return head.startswith(b"<!") or not head.startswith(b"<")
        if end < 0:
            return None if len(data) <= MOST_PROLOG else True
        at = data.find(b">", end) + 1
