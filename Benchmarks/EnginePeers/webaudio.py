# SPDX-License-Identifier: Apache-2.0
"""Renders the graph of EngineBenchmark offline with web-audio-api from PyPI, the Python module of the
Rust library that node-web-audio-api is made of.

  webaudio.py SECONDS
"""

import asyncio
import sys

import web_audio_api

RATE = 44_100
PLAYERS, EFFECTS = 32, 8


async def render(seconds):
    context = web_audio_api.OfflineAudioContext(2, seconds * RATE, float(RATE))
    sound = context.createBuffer(2, RATE, float(RATE))
    for channel in range(2):
        sound.copyToChannel([(frame * 7 % 441) / 441 - 0.5 for frame in range(RATE)], channel)
    mixers = [context.createGain() for _ in range(3)]
    mixers[0].connect(context.destination)
    for mixer in mixers[1:]:
        mixer.connect(mixers[0])
    for number in range(PLAYERS):
        player = context.createBufferSource()
        player.buffer = sound
        player.loop = True
        volume = context.createGain()
        volume.gain.value = 0.03
        last = player
        if number < EFFECTS:
            effect = context.createBiquadFilter()
            effect.type = "peaking"
            effect.frequency.value = 1_000
            effect.gain.value = 6
            last.connect(effect)
            last = effect
        last.connect(volume)
        volume.connect(mixers[1 + number % 2])
        player.start()
    rendered = await context.startRendering()
    if not any(rendered.getChannelData(0)[RATE // 2:RATE // 2 + 100]):
        sys.exit("silence")


asyncio.run(render(int(sys.argv[1])))
