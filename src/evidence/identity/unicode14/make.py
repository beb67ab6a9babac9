"""Writes ranges.json beside this file, and the vectors in fixtures/unicode14, from Python's own string methods.

Run with Python 3.11, whose Unicode is 14.0: the reference's rejection reasons were written by that version.
"""

import hashlib
import json
import pathlib
import re
import unicodedata

assert unicodedata.unidata_version == "14.0.0", unicodedata.unidata_version
HERE = pathlib.Path(__file__).parent
FIXTURES = HERE.parents[3] / "fixtures" / "unicode14"
ALL = [chr(code) for code in range(0x110000)]
# Patterns are slow to try on every character, so they are tried on the first 8,192 and every 97th of the rest.
SOME = ALL[:0x2000] + ALL[0x2000::97]
TABLES = {"printable": str.isprintable, "word": lambda c: c.isalnum() or c == "_", "space": str.isspace}


def base36(number):
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
        if number == 0:
            return digits


def lengths(flags):
    """Run lengths, starting with a run of 'no'."""
    runs, value, count = [], False, 0
    for flag in flags:
        if flag == value:
            count += 1
        else:
            runs.append(count)
            value, count = flag, 1
    runs.append(count)
    return " ".join(base36(run) for run in runs)


flags = {name: [bool(test(c)) for c in ALL] for name, test in TABLES.items()}
ranges = {name: lengths(column) for name, column in flags.items()}
(HERE / "ranges.json").write_text(json.dumps(ranges, indent=2) + "\n")

# One byte a code point: 1 printable, 2 word, 4 white space; then what the patterns of a reply match.
bits = bytes(p | w << 1 | s << 2 for p, w, s in zip(flags["printable"], flags["word"], flags["space"]))
after = re.compile(r"tank\s*[:=]\s*[0-6]\b", re.IGNORECASE)
boundary = bytes(bool(after.search("tank: 3" + c)) | bool(after.search("tank:" + c + "3")) << 1 for c in SOME)
folds = {
    letter: [ord(c) for c in ALL if re.fullmatch(letter, c, re.IGNORECASE)]
    for letter in "abcdefghijklmnopqrstuvwxyz"
}
vectors = {
    "python": "3.11",
    "unicode": unicodedata.unidata_version,
    "counts": {name: sum(column) for name, column in flags.items()},
    "flags_sha256": "sha256:" + hashlib.sha256(bits).hexdigest(),
    "reply_boundary_sha256": "sha256:" + hashlib.sha256(boundary).hexdigest(),
    "ignorecase": folds,
    "repr": {
        c: repr(c)
        for c in ["\u00ad", "\u0378", "\u200b", "\u3000", "\ua7cb", "\ua7da", "\u1c89", "\U00010d50", "\U0001fae8",
                  "\U0001f6dc", "\U000323af", "\U0001fae0", "\U0001f600", "\ue000", "\u2028", "\x7f", "\x85"]
    },
}
FIXTURES.mkdir(parents=True, exist_ok=True)
(FIXTURES / "vectors.json").write_text(json.dumps(vectors, indent=1) + "\n")
