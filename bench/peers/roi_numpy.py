"""The image signals in Python, for speed comparison only: one folder in, one JSON document out, the best time of each.

usage: roi_numpy.py FOLDER ROUNDS   where FOLDER holds scene.png and noise.raw (1024 x 1024 bytes, 0 or 255).
It leaves the same scene there as JPEG (quality 90, halved chroma) and as WebP, and with grain as WebP.
"""

import json
import sys
import time

import numpy
import PIL
import scipy
from PIL import Image
from scipy import ndimage

folder, rounds = sys.argv[1], int(sys.argv[2])


def darkest(part):
    """min(R, G, B): three strided reads are far faster than a reduction over an axis of length 3."""
    return numpy.minimum(numpy.minimum(part[..., 0], part[..., 1]), part[..., 2])


def dominance(part, strong, weak):
    """Mean of one channel over the larger of the two others, over pixels that are not white."""
    shown = darkest(part) < 230
    count = int(numpy.count_nonzero(shown))
    if count == 0:
        return None
    other = numpy.maximum(part[..., weak[0]], part[..., weak[1]])
    total = int(part[..., strong][shown].sum(dtype=numpy.int64)) - int(other[shown].sum(dtype=numpy.int64))
    return total / count


def yellow_share(part):
    r, g, b = part[..., 0], part[..., 1], part[..., 2]
    # With b at most 130 the sum cannot wrap in 8 bits.
    hit = (r >= 150) & (g >= 150) & (b <= 130)
    hit &= numpy.minimum(r, g) >= numpy.minimum(b, 130) + numpy.uint8(40)
    return int(numpy.count_nonzero(hit)) / hit.size


def blobs(pixels):
    height, width = pixels.shape[:2]
    labels, total = ndimage.label(darkest(pixels) < 230)
    areas = numpy.bincount(labels.ravel())[1:]
    least = -(-width * height // 250)
    boxes = ndimage.find_objects(labels)
    kept = [(int(area), boxes[i]) for i, area in enumerate(areas) if area >= least]
    return total, sorted(kept, key=lambda one: -one[0])


def signals(pixels):
    """Each region is cut out first: the fast way in numpy."""
    height, width = pixels.shape[:2]
    left = pixels[:, : -(-2 * width // 5)]
    right = pixels[:, -(-3 * width // 5) :]
    low = pixels[-(-11 * height // 20) :, -(-3 * width // 10) : -(-7 * width // 10)]
    return dominance(left, 0, (1, 2)), dominance(right, 2, (0, 1)), yellow_share(low), blobs(pixels)


def best_ms(job):
    job()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        job()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def decode(name):
    with Image.open(f"{folder}/{name}") as image:
        return numpy.asarray(image.convert("RGB"))


scene = decode("scene.png")
Image.fromarray(scene).save(f"{folder}/scene.jpg", quality=90)
grain = numpy.random.default_rng(1).normal(0, 6, scene.shape)
grainy = numpy.clip(scene + grain, 0, 255).astype(numpy.uint8)
for name, pixels in (("scene", scene), ("grainy", grainy)):
    Image.fromarray(pixels).save(f"{folder}/{name}.webp", quality=90)
    Image.fromarray(pixels).save(f"{folder}/{name}-lossless.webp", lossless=True, quality=75)
left, right, yellow, (total, kept) = signals(scene)
out = {
    "versions": {
        "python": sys.version.split()[0],
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "pillow": PIL.__version__,
    },
    "values": [left, right, yellow, total, [area for area, _ in kept]],
    "signals_ms": best_ms(lambda: signals(scene)),
    "decode_and_signals_ms": best_ms(lambda: signals(decode("scene.png"))),
    "decode_jpeg_and_signals_ms": best_ms(lambda: signals(decode("scene.jpg"))),
    "decode_webp_and_signals_ms": {
        name: best_ms(lambda: signals(decode(f"{name}.webp")))
        for name in ("scene", "scene-lossless", "grainy", "grainy-lossless")
    },
}
try:
    import cv2

    cv2.setNumThreads(1)
    noise = numpy.fromfile(f"{folder}/noise.raw", dtype=numpy.uint8).reshape(1024, 1024)
    out["versions"]["opencv"] = cv2.__version__
    out["noise_components"] = int(cv2.connectedComponentsWithStats(noise, connectivity=4)[0]) - 1
    out["noise_ms"] = best_ms(lambda: cv2.connectedComponentsWithStats(noise, connectivity=4))
except ImportError:
    pass
print(json.dumps(out))
