#!/usr/bin/env python3
"""The same work as bench/png-materialise.bench.ts, done by Pillow on one thread.

Composes every step of the recipes from the committed sprites, writes each as PNG, reduces it to the 28 x 16 luma
thumbnail and hashes file, pixels and thumbnail. Prints one JSON object: versions, steps, seconds, and a digest over all
pixel digests, by which the caller sees that both sides made the same pictures.

    png_pillow.py SPRITES_JSON FIRST_STATE STATE_STEP
"""

import hashlib
import io
import json
import platform
import sys
import time

import PIL
from PIL import Image, ImageDraw, features

WIDTH, HEIGHT, HUD = 896, 512, 72
BICUBIC = getattr(Image, "Resampling", Image).BICUBIC


def load(path):
    with open(path, encoding="utf-8") as handle:
        return json.load(handle)


class Pen:
    """Places sprites and masks on an image."""

    def __init__(self, data):
        self.data = data
        self.colour = {letter: tuple(rgb) for letter, rgb in data["palette"].items()}
        self.sprites = {name: self.sprite(s["rows"]) for name, s in data["sprites"].items()}
        self.lanes = [self.sprite(data["lane_overlay"][side]["rows"]) for side in ("even", "odd")]
        self.masks = {name: self.mask(data["text"][name]) for name in ("ready", "blocked")}
        self.numerals = [self.mask(n) for n in data["text"]["numerals"]]

    def sprite(self, rows):
        size = (len(rows[0]), len(rows))
        picture, cover = Image.new("RGB", size), Image.new("L", size)
        letters = "".join(rows)
        picture.putdata([self.colour.get(letter, (0, 0, 0)) for letter in letters])
        cover.putdata([0 if letter == "." else 255 for letter in letters])
        return picture, cover

    @staticmethod
    def mask(text):
        raw = bytes.fromhex("".join(text["alpha_hex_rows"]))
        return Image.frombytes("L", (text["w"], text["h"]), raw), (text["x"], text["y"])

    def place(self, image, name, x=0, y=0):
        spot = self.data["sprites"][name]
        picture, cover = self.sprites[name]
        image.paste(picture, (x + spot["dx"], y + spot["dy"]), cover)

    def write(self, image, mask):
        cover, spot = mask
        image.paste(self.colour["w"], (spot[0], spot[1], spot[0] + cover.width, spot[1] + cover.height), cover)


def base(pen, mode, tank, target, cooldown):
    grid = pen.data["grid_" + mode]
    image = Image.new("RGB", (WIDTH, HEIGHT), pen.colour["b"])
    draw = ImageDraw.Draw(image)
    word = "ready" if cooldown == 0 else "blocked"
    pen.place(image, "indicator_" + word)
    if mode == "labelled":
        pen.write(image, pen.masks[word])
    for rectangle in grid["vertical_rects_inclusive"]:
        draw.rectangle(rectangle, fill=pen.colour["g"])
    for y, x0, x1 in grid["bottom_line_rows"]:
        draw.rectangle((x0, y, x1, y), fill=pen.colour["g"])
    if target is not None:
        pen.place(image, "alien", 100 + 116 * target, HUD)
    pen.place(image, "tank", 100 + 116 * tank, grid["bottom"])
    if mode == "labelled":
        for numeral in pen.numerals:
            pen.write(image, numeral)
    return image


def seen(image, pen):
    pixel = image.getpixel((38, 36))
    near = lambda colour: sum((a - b) ** 2 for a, b in zip(pixel, colour)) <= 3600
    return "ready" if near(pen.colour["G"]) else "blocked"


def shape(image, pen):
    pen.place(image, "cooldown_shape_" + seen(image, pen))


def dual(image, pen):
    pen.place(image, "cooldown_dual_" + seen(image, pen))


def duplicate(image, pen):
    image.paste(image.crop((20, 18, 56, 54)), (840, 18))


def lanes(image, pen):
    overlay = pen.data["lane_overlay"]
    for i, x in enumerate(overlay["x_positions"]):
        side = overlay["even" if i % 2 == 0 else "odd"]
        picture, cover = pen.lanes[i % 2]
        image.paste(picture, (x + side["dx"], side["y"]), cover)


def text(image, pen):
    pen.write(image, pen.masks[seen(image, pen)])


def erase_text(image, pen):
    ImageDraw.Draw(image).rectangle(pen.data["text"]["bboxes"]["union"], fill=pen.colour["b"])


def erase_numerals(image, pen):
    draw = ImageDraw.Draw(image)
    for box in pen.data["text"]["bboxes"]["numerals"]:
        draw.rectangle(box, fill=pen.colour["b"])


RECIPES = [
    ("labelled", []),
    ("unlabelled", []),
    ("unlabelled", [shape]),
    ("unlabelled", [dual]),
    ("unlabelled", [dual, duplicate]),
    ("unlabelled", [lanes]),
    ("labelled", [erase_text, erase_numerals]),
    ("labelled", [erase_text]),
    ("unlabelled", [text]),
    ("labelled", []),
    ("unlabelled", [dual, lanes]),
]


def digest_step(image):
    file = io.BytesIO()
    image.save(file, "PNG")
    pixels = hashlib.sha256(image.tobytes()).hexdigest()
    hashlib.sha256(file.getvalue()).hexdigest()
    hashlib.sha256(image.convert("L").resize((28, 16), BICUBIC).tobytes()).hexdigest()
    return pixels


def main():
    pen = Pen(load(sys.argv[1]))
    first, step = int(sys.argv[2]), int(sys.argv[3])
    states = [
        (tank, target, cooldown)
        for tank in range(7)
        for target in [None, 0, 1, 2, 3, 4, 5, 6]
        for cooldown in (0, 1)
    ][first::step]
    steps, everything = 0, hashlib.sha256()
    started = time.perf_counter()
    for mode, operations in RECIPES:
        for state in states:
            image = base(pen, mode, *state)
            everything.update(digest_step(image).encode())
            steps += 1
            for operation in operations:
                image = image.copy()
                operation(image, pen)
                everything.update(digest_step(image).encode())
                steps += 1
    seconds = time.perf_counter() - started
    print(
        json.dumps(
            {
                "pillow": PIL.__version__,
                "python": platform.python_version(),
                "zlib": features.version("zlib"),
                "steps": steps,
                "seconds": seconds,
                "pixels": everything.hexdigest(),
            }
        )
    )


main()
