# SPDX-License-Identifier: Apache-2.0
"""Makes the seeds of the fuzzers with ffmpeg and from our own examples: seeds.py FOLDER

They are small, and made anew rather than stored, so that no file of others is in the repository."""

import pathlib
import plistlib
import shutil
import struct
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[1]
folder = pathlib.Path(sys.argv[1])

SPEECH = ["-ar", "8000"]
PICTURE = ["-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic"]

# For each fuzzer of sound files: names of files, and the arguments of ffmpeg for them.
KINDS = {
    "wave": {
        "a.wav": SPEECH, "24.wav": SPEECH + ["-c:a", "pcm_s24le"], "float.wav": SPEECH + ["-c:a", "pcm_f32le"],
        "ulaw.wav": SPEECH + ["-c:a", "pcm_mulaw"], "adpcm.wav": SPEECH + ["-c:a", "adpcm_ms"],
        "ima.wav": SPEECH + ["-c:a", "adpcm_ima_wav"], "gsm.wav": SPEECH + ["-c:a", "libgsm_ms"],
        "bext.wav": SPEECH + ["-write_bext", "1", "-metadata", "description=A"], "rf64.wav": SPEECH + ["-rf64", "always"],
        "six.wav": SPEECH + ["-ac", "6"], "a.w64": SPEECH,
    },
    "aiff": {
        "a.aiff": SPEECH, "24.aiff": SPEECH + ["-c:a", "pcm_s24be"], "ulaw.aiff": SPEECH + ["-c:a", "pcm_mulaw"],
        "little.aiff": SPEECH + ["-c:a", "pcm_s16le"], "ima.aiff": SPEECH + ["-c:a", "adpcm_ima_qt"],
        "id3.aiff": SPEECH + ["-write_id3v2", "1"],
    },
    "caf": {
        "a.caf": SPEECH, "ima.caf": SPEECH + ["-c:a", "adpcm_ima_qt"], "alac.caf": ["-c:a", "alac"], "aac.caf": ["-c:a", "aac"],
        "opus.caf": ["-c:a", "libopus"], "mp3.caf": ["-c:a", "libmp3lame"],
    },
    "mp4": {
        "a.m4a": [], "alac.m4a": ["-c:a", "alac"], "opus.mp4": ["-c:a", "libopus"], "flac.mp4": ["-c:a", "flac", "-strict", "-2"],
        "mp3.mp4": ["-c:a", "libmp3lame"], "parts.mp4": ["-movflags", "frag_keyframe+empty_moov"],
        "a.mov": SPEECH + ["-c:a", "pcm_s16be"], "ima.mov": SPEECH + ["-c:a", "adpcm_ima_qt"], "ac3.mp4": ["-c:a", "ac3"],
        "a.3gp": SPEECH + ["-c:a", "aac"],
    },
    "ogg": {
        "a.ogg": ["-c:a", "libvorbis"], "a.opus": ["-c:a", "libopus"], "flac.oga": ["-c:a", "flac"],
        "a.spx": SPEECH + ["-c:a", "libspeex"],
    },
    "flac": {"a.flac": [], "24.flac": ["-sample_fmt", "s32"], "stereo.flac": ["-ac", "2"]},
    "mpeg": {
        "a.mp3": ["-c:a", "libmp3lame"], "variable.mp3": ["-c:a", "libmp3lame", "-q:a", "5"],
        "low.mp3": SPEECH + ["-c:a", "libmp3lame"], "plain.mp3": ["-c:a", "libmp3lame", "-id3v2_version", "0"], "a.mp2": [],
    },
    "adts": {"a.aac": [], "low.aac": SPEECH + ["-c:a", "aac"]},
    "next": {"a.au": SPEECH, "ulaw.au": SPEECH + ["-c:a", "pcm_mulaw"], "float.au": SPEECH + ["-c:a", "pcm_f32be"]},
    "tags": {
        "3.mp3": ["-c:a", "libmp3lame", "-id3v2_version", "3", "-write_id3v1", "1"] + PICTURE,
        "4.mp3": ["-c:a", "libmp3lame", "-id3v2_version", "4"] + PICTURE,
        "ape.mp3": ["-c:a", "libmp3lame", "-write_apetag", "1"], "a.flac": PICTURE, "a.m4a": PICTURE,
        "a.ogg": ["-c:a", "libvorbis"], "a.opus": ["-c:a", "libopus"], "a.aiff": SPEECH + ["-write_id3v2", "1"],
        "a.wav": SPEECH, "a.aac": ["-write_id3v2", "1"],
    },
}
TAGS = ["title=Å", "artist=B", "album=C", "date=1999", "track=1/2", "genre=Jazz", "comment=D", "composer=E"]


def put(name, fuzzer, data):
    (folder / fuzzer).mkdir(parents=True, exist_ok=True)
    (folder / fuzzer / name).write_bytes(data)


def chunk(name, data, order=">"):
    return name + struct.pack(order + "I", len(data)) + data + b"\0" * (len(data) % 2)


def sounds():
    """A twentieth of a second of each kind, with tags."""
    if not shutil.which("ffmpeg"):
        sys.exit("seeds: ffmpeg is needed for the seeds of sound files")
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    picture = work / "a.png"
    ffmpeg = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi"]
    subprocess.run(ffmpeg + ["-i", "color=red:s=2x2:d=0.04", "-frames:v", "1", picture], check=True)
    tags = [word for tag in TAGS for word in ("-metadata", tag)]
    for fuzzer, files in KINDS.items():
        for name, arguments in files.items():
            path = work / name
            inputs = ["-i", "sine=440:d=0.05:r=44100"] + (["-i", picture] if PICTURE[0] in arguments else [])
            # A kind that this ffmpeg does not write is left out.
            done = subprocess.run(ffmpeg + inputs + tags + arguments + ["-bitexact", path], stderr=subprocess.DEVNULL)
            if done.returncode == 0:
                put(name, fuzzer, path.read_bytes())
                # The first byte is the size of the pieces.
                put(f"{fuzzer}-{name}", "sound_stream", b"\x20" + path.read_bytes())
    shutil.rmtree(work)


def chunks():
    """Files with the chunks that ffmpeg does not write: markers, regions, loops, instruments."""
    form = chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16), "<") + chunk(b"data", bytes(64), "<")
    cues = struct.pack("<I", 2) + b"".join(struct.pack("<II4sIII", i, 4 * i, b"data", 0, 0, 4 * i) for i in (1, 2))
    labels = b"adtl" + chunk(b"labl", struct.pack("<I", 1) + b"A\0", "<")
    labels += chunk(b"ltxt", struct.pack("<III4s4H", 2, 8, 0, b"rgn ", 0, 0, 0, 0) + b"B\0", "<")
    loops = struct.pack("<9I", 0, 0, 125000, 60, 0, 0, 0, 1, 0) + struct.pack("<6I", 1, 0, 4, 20, 0, 0)
    more = [(b"cue ", cues), (b"LIST", labels), (b"smpl", loops), (b"inst", bytes([60, 0, 0, 0, 127, 1, 127, 0])),
            (b"LIST", b"INFO" + chunk(b"INAM", b"A\0", "<"))]
    body = b"WAVE" + form + b"".join(chunk(name, data, "<") for name, data in more)
    put("chunks.wav", "wave", chunk(b"RIFF", body, "<"))

    common = struct.pack(">hIh", 1, 32, 16) + bytes.fromhex("400bfa00000000000000")
    marks = struct.pack(">H", 2) + b"".join(struct.pack(">hI", i, 8 * i) + b"\x01A" for i in (1, 2))
    instrument = bytes([60, 0, 0, 127, 1, 127]) + struct.pack(">h", 0) + struct.pack(">hhh", 1, 1, 2) * 2
    body = b"AIFF" + chunk(b"COMM", common) + chunk(b"MARK", marks) + chunk(b"INST", instrument)
    body += chunk(b"NAME", b"A") + chunk(b"COMT", struct.pack(">HIhH", 1, 0, 1, 2) + b"AB")
    put("chunks.aiff", "aiff", chunk(b"FORM", body + chunk(b"SSND", bytes(8 + 64))))

    def part(name, data):
        return name + struct.pack(">q", len(data)) + data
    mark = struct.pack(">IdIBBBBII", 0, 4.0, 1, 255, 255, 255, 255, 0, 0)
    region = struct.pack(">III", 1, 1, 2) + mark + mark
    body = b"caff\0\1\0\0" + part(b"desc", struct.pack(">d4s5I", 8000, b"lpcm", 0, 2, 1, 1, 16))
    body += part(b"mark", struct.pack(">II", 0, 1) + mark) + part(b"regn", struct.pack(">II", 0, 1) + region)
    body += part(b"strg", struct.pack(">IIq", 1, 1, 0) + b"A\0") + part(b"info", struct.pack(">I", 1) + b"title\0A\0")
    body += part(b"chan", struct.pack(">III", 100 << 16 | 1, 0, 0)) + part(b"inst", struct.pack(">f4BfIII", 60, 0, 127, 1, 127, 0, 0, 0, 0))
    body += part(b"uuid", bytes(20)) + part(b"free", bytes(4)) + part(b"data", bytes(4 + 64))
    put("chunks.caf", "caf", body)


def packets():
    """For conversions: two formats, a cookie, and what is converted. The numbers are those of `convert`."""
    def form(kind, channels=1, bits=1, rate=1, flags=0):
        return bytes([channels, bits, rate, kind, flags, 1])
    linear, floats = form(0, flags=12), form(0, bits=3, flags=9)
    sound = bytes(i * 7 % 256 for i in range(256))
    put("linear", "conversion", linear + floats + sound)
    put("rates", "conversion", linear + form(0, channels=2, rate=2, flags=12) + sound)
    put("encode-ima", "conversion", linear + form(4) + sound)
    put("encode-law", "conversion", linear + form(2) + sound)
    put("law", "conversion", form(3) + floats + b"\0" + sound)
    put("ima", "conversion", form(4) + floats + b"\0" + sound[:34])
    path = folder / "flac" / "a.flac"
    if path.exists():
        data, place = path.read_bytes(), 4
        while not data[place] & 0x80:
            place += 4 + int.from_bytes(data[place + 1:place + 4], "big")
        frames = data[place + 4 + int.from_bytes(data[place + 1:place + 4], "big"):]
        put("flac", "conversion", form(6) + floats + b"\x22" + data[8:42] + frames)


def music():
    events = (b"\x00\xff\x51\x03\x07\xa1\x20\x00\xff\x58\x04\x04\x02\x18\x08\x00\xc0\x05\x00\x90\x3c\x40"
              b"\x60\x80\x3c\x00\x00\xb0\x07\x64\x00\xe0\x00\x40\x00\xf0\x03\x7e\x7f\xf7\x00\xff\x2f\x00")
    header = chunk(b"MThd", struct.pack(">HHH", 1, 2, 96))
    # The first byte chooses the flags.
    put("two.mid", "midi_file", b"\0" + header + chunk(b"MTrk", events) + chunk(b"MTrk", events))
    smpte = chunk(b"MThd", struct.pack(">HHH", 0, 1, 0xE728))
    put("one.mid", "midi_file", b"\1" + smpte + chunk(b"MTrk", events))
    riff = header + chunk(b"MTrk", events)
    put("riff.rmi", "midi_file", b"\0" + b"RIFF" + struct.pack("<I", len(riff) + 12) + b"RMIDdata"
        + struct.pack("<I", len(riff)) + riff)
    put("notes", "midi_messages", b"\x03\x90\x3c\x64\x00\x90\x40\x64\x10\xb0\x40\x7f\x00\xff\x01\x80\x3c\x00\x20\x80")
    put("sysex", "midi_messages", b"\x01\xf0\x00\x00\x00\x0b\xf0\x7e\x7f\x09\x01\xf7\x00\x00\x00\x00\x00\x40")
    put("bytes", "midi_lists", b"\x00\x01\x00\x10\x90\x3c\x64\x40\x64\xf8\xf0\x01\x02\x03\x04\x05\x06\x07\xf7\xc0")
    ump = struct.pack(">8I", 0x20903C40, 0x40903C00, 0x80000000, 0x30160102, 0x03040506, 0x30230708, 0x09000000, 0x10F80000)
    put("packets", "midi_lists", b"\x01\x00\x00" + bytes([len(ump)]) + ump)
    put("new", "midi_lists", b"\x02\x00\x00" + bytes([len(ump)]) + ump)


def bank():
    """A SoundFont with a preset, an instrument of two zones, and a sample."""
    def text(name):
        return name.ljust(20, b"\0")
    frames = b"".join(struct.pack("<h", 9000 if i // 20 % 2 else -9000) for i in range(200)) + bytes(92)
    tables = {
        b"phdr": text(b"A") + struct.pack("<3H3I", 0, 0, 0, 0, 0, 0) + text(b"EOP") + struct.pack("<3H3I", 0, 0, 1, 0, 0, 0),
        b"pbag": struct.pack("<4H", 0, 0, 2, 0), b"pmod": bytes(10), b"pgen": struct.pack("<6H", 51, 1, 41, 0, 0, 0),
        b"inst": text(b"A") + struct.pack("<H", 0) + text(b"EOI") + struct.pack("<H", 2),
        b"ibag": struct.pack("<6H", 0, 0, 1, 0, 5, 0), b"imod": bytes(10),
        b"igen": struct.pack("<12H", 52, 3, 43, 0x7F00, 44, 0x7F00, 54, 1, 53, 0, 0, 0),
        b"shdr": text(b"A") + struct.pack("<5IBbHH", 0, 200, 40, 120, 44100, 60, 0, 0, 1) + text(b"EOS") + bytes(26),
    }
    body = b"sfbk" + chunk(b"LIST", b"INFO" + chunk(b"ifil", struct.pack("<HH", 2, 4), "<"), "<")
    body += chunk(b"LIST", b"sdta" + chunk(b"smpl", frames, "<") + chunk(b"sm24", bytes(len(frames) // 2), "<"), "<")
    body += chunk(b"LIST", b"pdta" + b"".join(chunk(name, data, "<") for name, data in tables.items()), "<")
    # The first bytes are the numbers of the bank and the program.
    put("one.sf2", "bank", b"\0\0" + chunk(b"RIFF", body, "<"))


def instruments():
    tone = "/proc/self/fd/900"
    zones = [{"ID": 1, "waveform": 1, "root key": 60, "min key": 40, "max key": 80, "loop enabled": True, "loop start": 10,
              "loop end": 200, "gain": 2.0, "pan": 0.5, "fine tune": 10.0, "coarse tune": 1.0}]
    layer = {"Zones": zones, "trigger mode": 0, "Filters": [{"enabled": True, "type": 40, "cutoff": 900.0, "resonance": 3.0}],
             "Envelopes": [{"ID": 0, "enabled": True, "Stages": [{"stage": i, "time": 0.1, "level": 0.5} for i in range(6)]}],
             "Connections": [{"ID": 0, "enabled": True, "source": 301, "destination": 0x50100000, "max value": 1.0},
                             {"ID": 1, "enabled": True, "source": 300, "destination": 0x30B00000, "max value": 12800.0}]}
    preset = {"type": 0x61756D75, "subtype": 0x73616D70, "manufacturer": 0x6170706C, "version": 0, "name": "A",
              "file-references": {"Sample:1": tone}, "Instrument": {"name": "A", "Layers": [layer]}}
    for number, kind in enumerate((plistlib.FMT_XML, plistlib.FMT_BINARY)):
        put(f"{number}.aupreset", "sampler_preset", plistlib.dumps(preset, fmt=kind))
    for order, magic in (("<", b"TBOS"), (">", b"SOBT")):
        def part(kind, size, fields):
            data = bytearray(84 + size)
            data[0], data[1], data[3] = order == "<", 1, kind
            struct.pack_into(order + "I", data, 4, size)
            data[16:20] = magic
            for place, value in fields.items():
                value = value if isinstance(value, bytes) else struct.pack(order + "i", value)
                data[84 + place:84 + place + len(value)] = value
            return bytes(data)
        zone = {0: bytes([0, 69, 5, 0, 3]), 6: bytes([30, 90, 0, 0, 127]), 16: 400, 20: 40, 24: 300, 33: b"\1", 88: -1, 92: 0}
        data = part(0, 40, {4: 1, 12: 1}) + part(1, 136, zone) + part(3, 592, {336: tone.encode(), 4: 400, 8: 44100})
        put(f"{magic.decode()}.exs", "exs", data)


def plug_ins():
    cache = ("file\t2\t100\t200\t300\t0\t/a/b.lv2\t\nplug-in\t1\t2\t3\t65536\tA name\thttp://a\t\n"
             "file\t4\t1\t2\t3\t1\t/c.so\tit crashed\\n\n")
    put("cache", "plug_ins", b"\0" + cache.encode())
    unit = {"type": "aufx", "subtype": "demo", "manufacturer": "Demo", "name": "Demo: Gain", "version": 65536,
            "factoryFunction": "GainFactory", "sandboxSafe": True}
    for number, kind in enumerate((plistlib.FMT_XML, plistlib.FMT_BINARY)):
        put(f"list{number}", "plug_ins",
            b"\1" + plistlib.dumps({"CFBundleExecutable": "Gain", "AudioComponents": [unit, unit]}, fmt=kind))


def descriptions():
    for path in (root / "Examples/Graphs").glob("*.json"):
        put(path.name, "graph", path.read_bytes())
    # In the order of `familiarUnits`.
    units = ["aufxlpas", "aufxnbeq", "aufxdely", "aufxdcmp", "aufxrvb2", "aumxmcmx", "aumxmxmx", "aumx3dem", "aufcconv",
             "aufcnutp", "augnsspl", "aumusamp"]
    for index, codes in enumerate(units):
        code = [int.from_bytes(codes[at:at + 4].encode(), "big") for at in (0, 4)]
        values = struct.pack(">3I", 0, 0, 2) + struct.pack(">IfIf", 0, 0.5, 1, 1.0)
        state = {"version": 0, "type": code[0], "subtype": code[1], "manufacturer": 0x6170706C, "name": "A", "data": values,
                 "element-name": {"1": {"0": "An input"}}, "preset-number": -1}
        for number, kind in enumerate((plistlib.FMT_XML, plistlib.FMT_BINARY)):
            put(f"{codes}{number}", "unit_state", bytes([index]) + plistlib.dumps(state, fmt=kind))


sounds()
chunks()
packets()
music()
bank()
instruments()
plug_ins()
descriptions()
