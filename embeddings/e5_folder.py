"""The JSON files of a multilingual-e5-small sentence-transformers folder: network, tokenizer, pooling, prompts.

Pure: values in, contents by file name out. e5_conversion writes them beside the weights.
"""

from typing import Any

_PADDING_ID = 1
_UNKNOWN_ID = 3
_SPECIALS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")


def sentence_transformers_files(vocabulary: list[tuple[str, float]], config: dict[str, Any]) -> dict[str, Any]:
    """File name -> JSON content of everything but the weights."""
    return {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_act": "gelu",
            "attention_probs_dropout_prob": 0.1,
            "hidden_dropout_prob": 0.1,
            "pad_token_id": _PADDING_ID,
            "dtype": "float16",
            **config,
        },
        "tokenizer.json": _tokenizer(vocabulary),
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": config["max_position_embeddings"],
            "model_input_names": ["input_ids", "attention_mask"],
            "clean_up_tokenization_spaces": False,
            "bos_token": "<s>",
            "cls_token": "<s>",
            "eos_token": "</s>",
            "sep_token": "</s>",
            "pad_token": "<pad>",
            "unk_token": "<unk>",
            "mask_token": "<mask>",
        },
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
        ],
        "1_Pooling/config.json": {
            "word_embedding_dimension": config["hidden_size"],
            "pooling_mode_cls_token": False,
            "pooling_mode_mean_tokens": True,
            "pooling_mode_max_tokens": False,
            "pooling_mode_mean_sqrt_len_tokens": False,
        },
        "sentence_bert_config.json": {"max_seq_length": config["max_position_embeddings"], "do_lower_case": False},
        # e5 was trained with a prefix on every text; for texts compared with their like it is "query: ".
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "passage": "passage: "},
            "default_prompt_name": "query",
            "similarity_fn_name": "cosine",
        },
    }


def _tokenizer(vocabulary: list[tuple[str, float]]) -> dict[str, Any]:
    """XLM-RoBERTa's SentencePiece unigram tokenizer in the format of the tokenizers library."""
    ids = {piece: index for index, (piece, _) in enumerate(vocabulary) if piece in _SPECIALS}
    special = {"single_word": False, "rstrip": False, "normalized": False, "special": True}
    first, last = ({"SpecialToken": {"id": piece, "type_id": 0}} for piece in ("<s>", "</s>"))
    text = {"Sequence": {"id": "A", "type_id": 0}}
    other = {"Sequence": {"id": "B", "type_id": 0}}
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": index, "content": piece, "lstrip": piece == "<mask>", **special} for piece, index in ids.items()
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Nmt"},
                {"type": "NFKC"},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            ],
        },
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [first, text, last],
            "pair": [first, text, last, last, other, last],
            "special_tokens": {
                piece: {"id": piece, "ids": [ids[piece]], "tokens": [piece]} for piece in ("<s>", "</s>")
            },
        },
        "decoder": metaspace,
        "model": {
            "type": "Unigram",
            "unk_id": _UNKNOWN_ID,
            "vocab": [list(pair) for pair in vocabulary],
            "byte_fallback": False,
        },
    }
