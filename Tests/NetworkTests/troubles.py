# SPDX-License-Identifier: Apache-2.0
"""What the page's three ways do beyond its commands: their latencies, and what happens on a bad network and when one end
is killed. Nothing may hang, and sound has to return."""

import re
import time

import numpy as np

import latencies
import machines
import tones

# Share of a recording with the tone that a busy machine reaches, too.
LEAST = 0.2


def check(title, sentences, network, is_full):
    """The checks of a section, whose servers are running."""
    for sentence, call, is_long in {"PipeWire, RTP": RTP, "NetJACK2": NETJACK, "Snapcast": SNAPCAST}[title]:
        if is_full or not is_long:
            sentences.check(f"{title}: {sentence}", lambda: call(network))


def heard(machine, file, hertz, least=LEAST, within=1):
    """What a recording contains."""
    return tones.expect(machine.home / file, hertz, least, within)


# MARK: RTP


def rtp_latency(network):
    return latencies.between_servers(network, "to-hall", "from-studio")


def rtp_killed_sender(network):
    """The recording goes on with silence, and hears the next sender; the program on studio plays on when its device is
    back."""
    studio, hall = network.studio, network.hall
    background(studio, "au tone 440 --seconds 90 --device pipewire:to-hall")
    hall("sleep 1")
    background(hall, "au record killed.wav --seconds 45 --device pipewire:from-studio")
    hall("sleep 3")
    studio("kill -KILL %?to-hall.conf; wait %?to-hall.conf", expected=137)
    hall("sleep 1")
    background(studio, "pipewire -c ~/to-hall.conf")
    hall("wait %?killed.wav", seconds=90)
    studio.status("kill %?tone; wait %?tone")
    signal = tones.samples(hall.home / "killed.wav")
    assert abs(signal.size - 45 * tones.RATE) < tones.RATE, f"{signal.size} frames were recorded"
    seconds = signal[: signal.size // tones.RATE * tones.RATE].reshape(-1, tones.RATE)
    shares = [tones.presence(second, 440) for second in seconds]
    assert max(shares[:4]) > LEAST, "nothing was heard at first"
    assert np.mean(shares[-5:]) > LEAST, f"nothing was heard at the end: {shares}"
    return f"silent for {sum(share == 0 for share in shares)} s"


def rtp_no_sender(network):
    """A recording is silent and ends in time."""
    studio, hall = network.studio, network.hall
    background(hall, "au record killed.wav --seconds 4 --device pipewire:from-studio")
    hall("sleep 1")
    studio("kill -KILL %?to-hall.conf; wait %?to-hall.conf", expected=137)
    hall("wait %?killed.wav", seconds=30)
    frames = tones.samples(hall.home / "killed.wav").size
    assert abs(frames - 4 * tones.RATE) < tones.RATE / 2, f"{frames} frames were recorded"
    background(studio, "pipewire -c ~/to-hall.conf")


def again(hall, command, file, studio, connect="true"):
    """Records until the tone is back. Studio may have to connect it again."""
    for _ in range(10):
        hall(f"rm -f {file}")
        studio.status(connect)
        hall.status(command, seconds=40)
        try:
            found = heard(hall, file, 440)
            studio.status("kill %?tone; wait %?tone")
            return found
        except AssertionError as error:
            last = error
            time.sleep(1)
    raise last


def rtp_killed_receiver(network):
    """The sender does not notice; a new receiver hears it."""
    studio, hall = network.studio, network.hall
    hall("kill -KILL %?from-studio.conf; wait %?from-studio.conf", expected=137)
    studio("au tone 440 --seconds 2 --device pipewire:to-hall", seconds=30)
    background(hall, "pipewire -c ~/from-studio.conf")
    background(studio, "au tone 440 --seconds 40 --device pipewire:to-hall")
    return again(hall, "au record again.wav --seconds 3 --device pipewire:from-studio", "again.wav", studio)


def rtp_variants(network):
    """24 bits by multicast, after 50 ms, to the hall's default device."""
    studio, hall = network.studio, network.hall
    hall("sed 's/media.class = Audio.Source//; s/msec = 100/msec = 50/' ~/from-studio.conf >~/to-speakers.conf")
    studio("sed 's/10.77.0.2/239.77.0.1/; s/S16BE/S24BE/' ~/to-hall.conf >~/to-all.conf")
    hall.status("kill %?from-studio.conf; wait %?from-studio.conf")
    studio.status("kill %?to-hall.conf; wait %?to-hall.conf")
    background(hall, "pipewire -c ~/to-speakers.conf")
    background(studio, "pipewire -c ~/to-all.conf")
    try:
        studio("sleep 2")
        background(studio, "au tone 440 --seconds 60 --device pipewire:to-hall")
        command = "au record all.wav --seconds 3 --device pipewire:speakers.monitor"
        return again(hall, command, "all.wav", studio)
    finally:
        hall.status("kill %?to-speakers.conf; wait %?to-speakers.conf")
        studio.status("kill %?to-all.conf; wait %?to-all.conf")
        background(hall, "pipewire -c ~/from-studio.conf")
        background(studio, "pipewire -c ~/to-hall.conf")
        studio("sleep 2")


def rtp_impaired(**trouble):
    def call(network):
        background(network.studio, "au tone 440 --seconds 40 --device pipewire:to-hall")
        try:
            with network.impaired(**trouble):
                network.hall("sleep 3; au record bad.wav --seconds 8 --device pipewire:from-studio", seconds=40)
        finally:
            network.studio.status("kill %?tone; wait %?tone")
        found = heard(network.hall, "bad.wav", 440, LEAST / 2)
        with network.impaired(**trouble):
            return f"{found}; {rtp_latency(network)}"

    return call


RTP = [
    ("latency", rtp_latency, False),
    ("a recording ends in time although its sender was killed", rtp_no_sender, False),
    ("a killed receiver hears the sender again when it is back", rtp_killed_receiver, False),
    ("a killed sender is silence, and is heard again when it is back", rtp_killed_sender, True),
    ("24 bits by multicast play on the default device", rtp_variants, True),
    ("1 % of the packets are lost", rtp_impaired(loss=1), True),
    ("5 % of the packets are lost", rtp_impaired(loss=5), True),
    ("packets are 30 ms late", rtp_impaired(delay=30), True),
    ("packets are 10 to 40 ms late, in any order", rtp_impaired(delay=10, jitter=30), True),
]

# MARK: NetJACK2

PERIOD = 256


def round_trip(network, expected):
    """Measures the frames there and back, which the hall sends back at once. A busy machine may need several
    attempts."""
    network.hall("jack_connect system:capture_1 system:playback_1")
    try:
        found = [latencies.round_trip(network.studio, "hall:to_slave_1", "hall:from_slave_1")]
        while found[-1] != expected and len(found) < 6:
            found.append(latencies.round_trip(network.studio, "hall:to_slave_1", "hall:from_slave_1"))
        assert found[-1] == expected, f"{found} frames; expected {expected}"
        return found[-1]
    finally:
        network.hall.status("jack_disconnect system:capture_1 system:playback_1")


def netjack_latency(network):
    frames = round_trip(network, 6 * PERIOD)
    network.hall("kill -KILL %?jackd; wait %?jackd", expected=137)
    machines.until(lambda: "hall" not in network.studio.status("jack_lsp")[1], 40, "hall is still a client")
    background(network.hall, "jackd -R -d net -l 2")
    appears(network)
    short = round_trip(network, 3 * PERIOD)
    return f"{frames} frames, with -l 2 {short}"


def appears(network):
    """Waits until the hall is a client of the studio."""
    def is_there():
        return re.search("^hall.*:to_slave_1$", network.studio.status("jack_lsp")[1], re.MULTILINE)

    machines.until(is_there, 40, "no client named hall")


# The hall is called hall-01 if it comes back before studio knows that it was lost.
CONNECT = "for port in $(jack_lsp | grep '^hall.*:to_slave_'); do jack_connect au:output_${port##*_} $port; done"


def play_to_hall(studio):
    """Starts a tone that goes to the hall."""
    background(studio, "au tone 440 --seconds 90 --device jack")
    machines.until(lambda: "au:output_1" in studio.status("jack_lsp")[1], 20, "no client named au")
    studio.status(CONNECT)


def netjack_killed_receiver(network):
    """Studio's program goes on, and is heard when hall's server is back and connected again."""
    studio, hall = network.studio, network.hall
    play_to_hall(studio)
    hall("kill -KILL %?jackd; wait %?jackd", expected=137)
    machines.until(lambda: "hall" not in studio.status("jack_lsp")[1], 40, "hall is still a client")
    background(hall, "jackd -R -d net")
    appears(network)
    return again(hall, "au record again.wav --seconds 3 --device jack", "again.wav", studio, CONNECT)


def netjack_killed_sender(network):
    """Hall's server waits for the next one; its programs neither hang nor end."""
    studio, hall = network.studio, network.hall
    background(hall, "au record lost.wav --seconds 3 --device jack")
    hall("sleep 1")
    studio("kill -KILL %?jackd; wait %?jackd", expected=137)
    time.sleep(3)
    background(studio, "jackd -R -d dummy -r 48000 -p 256")
    machines.until(lambda: studio.status("jack_lsp")[0] == 0, 20, "no JACK server")
    studio("jack_load netmanager")
    appears(network)
    hall("wait %?lost.wav", seconds=30)
    frames = tones.samples(hall.home / "lost.wav").size
    play_to_hall(studio)
    found = again(hall, "au record again.wav --seconds 3 --device jack", "again.wav", studio, CONNECT)
    return f"{found}; the recording has {frames / tones.RATE:.2f} s"


def netjack_impaired(**trouble):
    def call(network):
        play_to_hall(network.studio)
        try:
            with network.impaired(**trouble):
                # The change of the cable is an interruption of its own.
                time.sleep(3)
                appears(network)
                network.studio.status(CONNECT)
                network.hall.status("au record bad.wav --seconds 8 --device jack", seconds=60)
        finally:
            network.studio.status("kill %?tone; wait %?tone")
        appears(network)
        play_to_hall(network.studio)
        command = "au record again.wav --seconds 3 --device jack"
        afterwards = again(network.hall, command, "again.wav", network.studio, CONNECT)
        try:
            during = heard(network.hall, "bad.wav", 440, 0)
        except AssertionError as error:
            during = str(error)
        return f"{during}; afterwards {afterwards}"

    return call


NETJACK = [
    ("latency, to the frame", netjack_latency, False),
    ("a killed receiver is found again", netjack_killed_receiver, False),
    ("a receiver waits for a killed sender", netjack_killed_sender, False),
    ("1 % of the packets are lost", netjack_impaired(loss=1), True),
    ("5 % of the packets are lost", netjack_impaired(loss=5), True),
    ("packets are 5 ms late", netjack_impaired(delay=5), True),
]

# MARK: Snapcast


def snapcast_latency(network):
    # A pipe that is full holds a third of a second.
    network.studio.status("kill %?convert; kill %?tone; wait %?convert; sleep 2")
    return latencies.through_pipe(network.studio.path("/tmp/music"), network.hall.home / "heard.raw")


def snapcast_killed_sender(network):
    """The client finds the server again."""
    studio, hall = network.studio, network.hall
    studio("kill -KILL %?snapserver; wait %?snapserver", expected=137)
    time.sleep(1)
    background(studio, "snapserver --config ~/snapserver.conf --server.datadir=$HOME")
    return snapcast_tone(network, 40)


def snapcast_tone(network, seconds=25, within=1):
    """A tone that is written to the pipe now is heard."""
    hall, studio = network.hall, network.studio
    file = hall.home / "heard.raw"
    background(studio, "au tone 440 --seconds 40 --bits 16 --channels 2 -o - | au convert - -o - --raw-out s16le >/tmp/music")
    end = time.monotonic() + seconds
    try:
        while True:
            time.sleep(3)
            data = file.read_bytes()[: -(file.stat().st_size % 4) or None][-8 * tones.RATE :]
            (hall.home / "part.raw").write_bytes(data)
            hall("au convert part.raw -o part.wav --raw-in s16le,48000,2")
            try:
                return heard(hall, "part.wav", 440, LEAST if within == 1 else 0, within)
            except AssertionError:
                if time.monotonic() > end:
                    raise
            hall("rm part.wav")
    finally:
        studio.status("kill %?convert; kill %?tone; wait %?convert")


def snapcast_impaired(**trouble):
    def call(network):
        with network.impaired(**trouble):
            # The client plays faster or slower while it looks for the right time.
            return f"{snapcast_tone(network, within=30)}; {snapcast_latency(network)}"

    return call


SNAPCAST = [
    ("latency", snapcast_latency, False),
    ("the client finds a killed server again", snapcast_killed_sender, False),
    ("1 % of the packets are lost", snapcast_impaired(loss=1), True),
    ("5 % of the packets are lost", snapcast_impaired(loss=5), True),
    ("packets are 10 to 40 ms late, in any order", snapcast_impaired(delay=10, jitter=30), True),
]


def background(machine, command):
    """Starts a command; its output goes to a file."""
    machine(f"{{ {command} & }} >>background.txt 2>&1")
