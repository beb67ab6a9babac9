#!/usr/bin/env python3
"""The same work as bench/reader/worker.ts, done by onnxruntime and Pillow on one thread.

Decodes every picture of a pack, reduces it to the means of its boxes, asks the network and reads the
three heads. Prints one JSON object: versions, pictures, seconds, the part of the network alone, and what was said.

    reader_onnx.py MODEL_ONNX PACK
"""

import io
import json
import platform
import struct
import sys
import time

import numpy
import onnxruntime
import PIL
from PIL import Image

BOX = 8
TARGETS = ["NONE", "0", "1", "2", "3", "4", "5", "6"]
COOLDOWNS = ["READY", "BLOCKED"]


def unpacked(data):
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 4 + length]
        at += 4 + length


def tensor(png):
    means = Image.open(io.BytesIO(png)).convert("RGB").reduce(BOX)
    planes = (numpy.asarray(means, dtype=numpy.float32) / 255 - 0.5) / 0.5
    return numpy.ascontiguousarray(planes.transpose(2, 0, 1)[None])


def main(model, pack):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    with open(pack, "rb") as handle:
        pictures = list(unpacked(handle.read()))
    network = 0.0

    def ask(png):
        nonlocal network
        feeds = {"image": tensor(png)}
        began = time.perf_counter()
        tank, target, cooldown = session.run(["tank", "target", "cooldown"], feeds)
        network += time.perf_counter() - began
        return f"{tank.argmax()} {TARGETS[target.argmax()]} {COOLDOWNS[cooldown.argmax()]}"

    for png in pictures[:50]:
        ask(png)
    network = 0.0
    began = time.perf_counter()
    said = [ask(png) for png in pictures]
    seconds = time.perf_counter() - began
    print(
        json.dumps(
            {
                "onnxruntime": onnxruntime.__version__,
                "pillow": PIL.__version__,
                "numpy": numpy.__version__,
                "python": platform.python_version(),
                "images": len(pictures),
                "seconds": seconds,
                "network_seconds": network,
                "said": "\n".join(said),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
