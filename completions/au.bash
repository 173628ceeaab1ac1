# SPDX-License-Identifier: Apache-2.0
# Completion of au in bash; written by `au completions bash`.
_au_dynamic() {
  # Bash ends words at "=" and ":" as well; only what follows the last of them is replaced.
  local current=${COMP_WORDS[COMP_CWORD]} reply
  [[ $current == [=:] ]] && current=
  while read -r reply; do
    if [[ $reply == :files: ]]; then
      while read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -f -- "$2")
      compopt -o filenames 2>/dev/null
      continue
    fi
    reply=${reply#"${2%"$current"}"}
    [[ $reply == *" "* ]] && printf -v reply %q "$reply"
    COMPREPLY+=("$reply")
  done < <(au words "$@" 2>/dev/null)
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
_au() {
  local line=${COMP_LINE:-"${COMP_WORDS[*]}"}
  line=${line:0:${COMP_POINT:-${#line}}}
  local -a typed
  read -ra typed <<<"$line"
  [[ $line == *" " ]] && typed+=("")
  local word=${typed[-1]} previous=${typed[-2]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "list plug-ins info tone play record render convert join mix split stats compare spectrogram plot view graph new devices session aggregate midi loopback validate explain compatibility help completions --help --version" -- "$word"))
    return
  fi
  case ${COMP_WORDS[1]}:$previous in
    info:--svg) COMPREPLY=($(compgen -f -- "$word")); return ;;
    info:--jobs|info:-j) return ;;
    tone:--level|tone:-l) return ;;
    tone:--calibration) return ;;
    tone:--waveform) COMPREPLY=($(compgen -W "sine square triangle saw white pink mls periodic-pink jtest impulse dc" -- "$word")); return ;;
    tone:--file) COMPREPLY=($(compgen -f -- "$word")); return ;;
    tone:--duty) return ;;
    tone:--phase) return ;;
    tone:--order) return ;;
    tone:--band) return ;;
    tone:--am) return ;;
    tone:--fm) return ;;
    tone:--lock) return ;;
    tone:--on) COMPREPLY=($(compgen -W "L R C LFE Ls Rs Lb Rb" -- "$word")); return ;;
    tone:--sweep) _au_dynamic frequency "$word"; return ;;
    tone:--curve) COMPREPLY=($(compgen -W "logarithmic linear" -- "$word")); return ;;
    tone:--steps) return ;;
    tone:--dwell) return ;;
    tone:--end-level) return ;;
    tone:--burst) return ;;
    tone:--add) _au_dynamic tone "$word"; return ;;
    tone:--crest) COMPREPLY=($(compgen -W "lowest highest" -- "$word")); return ;;
    tone:--delay) return ;;
    tone:--repeat) return ;;
    tone:--pause) return ;;
    tone:--seconds|tone:-t) return ;;
    tone:--fade) return ;;
    tone:--device|tone:-d) _au_dynamic device "$word"; return ;;
    tone:--output|tone:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    tone:--rate|tone:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    tone:--channels|tone:-c) return ;;
    tone:--bits|tone:-b) COMPREPLY=($(compgen -W "16 24 32f" -- "$word")); return ;;
    tone:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    tone:--effect) _au_dynamic settings "$word"; return ;;
    play:--from) return ;;
    play:--to) return ;;
    play:--rate|play:-r) return ;;
    play:--pitch) return ;;
    play:--effect) _au_dynamic settings "$word"; return ;;
    play:--device|play:-d) _au_dynamic device "$word"; return ;;
    play:--gain|play:-g) return ;;
    play:--lfe) return ;;
    play:--bank) COMPREPLY=($(compgen -f -- "$word")); return ;;
    record:--output|record:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    record:--seconds|record:-t) return ;;
    record:--device|record:-d) _au_dynamic device "$word"; return ;;
    record:--rate|record:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    record:--channels|record:-c) return ;;
    record:--lfe) return ;;
    record:--bits|record:-b) COMPREPLY=($(compgen -W "8 16 24 32 32f 64f" -- "$word")); return ;;
    record:--start-above) return ;;
    record:--stop-below) return ;;
    render:--output|render:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    render:--format|render:-f) COMPREPLY=($(compgen -W "wav flac aiff aifc caf w64 rf64 bw64 au m4a m4b mp4 aac ogg opus mp3" -- "$word")); return ;;
    render:--tail) return ;;
    render:--preset) return ;;
    render:--bank) COMPREPLY=($(compgen -f -- "$word")); return ;;
    render:--channels|render:-c) return ;;
    render:--lfe) return ;;
    render:--bits|render:-b) COMPREPLY=($(compgen -W "16 24 32f" -- "$word")); return ;;
    render:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    render:--list) COMPREPLY=($(compgen -f -- "$word")); return ;;
    render:--shard) return ;;
    render:--jobs|render:-j) return ;;
    convert:--output|convert:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    convert:--format|convert:-f) COMPREPLY=($(compgen -W "wav flac aiff aifc caf w64 rf64 bw64 au m4a m4b mp4 aac ogg opus mp3" -- "$word")); return ;;
    convert:--codec) COMPREPLY=($(compgen -W "pcm alac flac aac mp3 opus vorbis ima4 ulaw alaw" -- "$word")); return ;;
    convert:--rate|convert:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    convert:--bits|convert:-b) COMPREPLY=($(compgen -W "8 16 24 32 32f 64f" -- "$word")); return ;;
    convert:--channels|convert:-c) return ;;
    convert:--lfe) return ;;
    convert:--bitrate) return ;;
    convert:--vbr) return ;;
    convert:--quality) COMPREPLY=($(compgen -W "low normal high mastering" -- "$word")); return ;;
    convert:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    convert:--from) return ;;
    convert:--to) return ;;
    convert:--remove-silence) return ;;
    convert:--silence-level) return ;;
    convert:--pick) return ;;
    convert:--tempo) return ;;
    convert:--pitch) return ;;
    convert:--speed) return ;;
    convert:--fade-in) return ;;
    convert:--fade-out) return ;;
    convert:--fade-curve) COMPREPLY=($(compgen -W "linear sine exponential" -- "$word")); return ;;
    convert:--gain|convert:-g) return ;;
    convert:--normalize) return ;;
    convert:--loudness) return ;;
    convert:--peak) return ;;
    convert:--tag) _au_dynamic tag "$word"; return ;;
    convert:--picture) COMPREPLY=($(compgen -f -- "$word")); return ;;
    convert:--marker) return ;;
    convert:--loop) return ;;
    convert:--raw-in) COMPREPLY=($(compgen -W "s8,48000,2 u8,48000,2 s16le,48000,2 s16be,48000,2 s24le,48000,2 s24be,48000,2 s32le,48000,2 s32be,48000,2 f32le,48000,2 f32be,48000,2 f64le,48000,2 f64be,48000,2" -- "$word")); return ;;
    convert:--raw-out) COMPREPLY=($(compgen -W "s8 u8 s16le s16be s24le s24be s32le s32be f32le f32be f64le f64be" -- "$word")); return ;;
    convert:--list) COMPREPLY=($(compgen -f -- "$word")); return ;;
    convert:--shard) return ;;
    convert:--jobs|convert:-j) return ;;
    join:--output|join:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    join:--format|join:-f) COMPREPLY=($(compgen -W "wav flac aiff aifc caf w64 rf64 bw64 au m4a m4b mp4 aac ogg opus mp3" -- "$word")); return ;;
    join:--codec) COMPREPLY=($(compgen -W "pcm alac flac aac mp3 opus vorbis ima4 ulaw alaw" -- "$word")); return ;;
    join:--rate|join:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    join:--bits|join:-b) COMPREPLY=($(compgen -W "8 16 24 32 32f 64f" -- "$word")); return ;;
    join:--channels|join:-c) return ;;
    join:--lfe) return ;;
    join:--bitrate) return ;;
    join:--vbr) return ;;
    join:--quality) COMPREPLY=($(compgen -W "low normal high mastering" -- "$word")); return ;;
    join:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    join:--from) return ;;
    join:--to) return ;;
    join:--remove-silence) return ;;
    join:--silence-level) return ;;
    join:--pick) return ;;
    join:--tempo) return ;;
    join:--pitch) return ;;
    join:--speed) return ;;
    join:--fade-in) return ;;
    join:--fade-out) return ;;
    join:--fade-curve) COMPREPLY=($(compgen -W "linear sine exponential" -- "$word")); return ;;
    join:--gain|join:-g) return ;;
    join:--normalize) return ;;
    join:--loudness) return ;;
    join:--peak) return ;;
    join:--tag) _au_dynamic tag "$word"; return ;;
    join:--picture) COMPREPLY=($(compgen -f -- "$word")); return ;;
    join:--marker) return ;;
    join:--loop) return ;;
    mix:--output|mix:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    mix:--format|mix:-f) COMPREPLY=($(compgen -W "wav flac aiff aifc caf w64 rf64 bw64 au m4a m4b mp4 aac ogg opus mp3" -- "$word")); return ;;
    mix:--level) return ;;
    mix:--codec) COMPREPLY=($(compgen -W "pcm alac flac aac mp3 opus vorbis ima4 ulaw alaw" -- "$word")); return ;;
    mix:--rate|mix:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    mix:--bits|mix:-b) COMPREPLY=($(compgen -W "8 16 24 32 32f 64f" -- "$word")); return ;;
    mix:--channels|mix:-c) return ;;
    mix:--lfe) return ;;
    mix:--bitrate) return ;;
    mix:--vbr) return ;;
    mix:--quality) COMPREPLY=($(compgen -W "low normal high mastering" -- "$word")); return ;;
    mix:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    mix:--from) return ;;
    mix:--to) return ;;
    mix:--remove-silence) return ;;
    mix:--silence-level) return ;;
    mix:--pick) return ;;
    mix:--tempo) return ;;
    mix:--pitch) return ;;
    mix:--speed) return ;;
    mix:--fade-in) return ;;
    mix:--fade-out) return ;;
    mix:--fade-curve) COMPREPLY=($(compgen -W "linear sine exponential" -- "$word")); return ;;
    mix:--gain|mix:-g) return ;;
    mix:--normalize) return ;;
    mix:--loudness) return ;;
    mix:--peak) return ;;
    mix:--tag) _au_dynamic tag "$word"; return ;;
    mix:--picture) COMPREPLY=($(compgen -f -- "$word")); return ;;
    mix:--marker) return ;;
    mix:--loop) return ;;
    split:--output|split:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    split:--format|split:-f) COMPREPLY=($(compgen -W "wav flac aiff aifc caf w64 rf64 bw64 au m4a m4b mp4 aac ogg opus mp3" -- "$word")); return ;;
    split:--every) return ;;
    split:--silence) return ;;
    split:--silence-level) return ;;
    split:--codec) COMPREPLY=($(compgen -W "pcm alac flac aac mp3 opus vorbis ima4 ulaw alaw" -- "$word")); return ;;
    split:--rate|split:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    split:--bits|split:-b) COMPREPLY=($(compgen -W "8 16 24 32 32f 64f" -- "$word")); return ;;
    split:--channels|split:-c) return ;;
    split:--lfe) return ;;
    split:--bitrate) return ;;
    split:--vbr) return ;;
    split:--quality) COMPREPLY=($(compgen -W "low normal high mastering" -- "$word")); return ;;
    split:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    split:--jobs|split:-j) return ;;
    stats:--from) return ;;
    stats:--to) return ;;
    stats:--remove-silence) return ;;
    stats:--silence-level) return ;;
    stats:--pick) return ;;
    stats:--tempo) return ;;
    stats:--pitch) return ;;
    stats:--speed) return ;;
    stats:--fade-in) return ;;
    stats:--fade-out) return ;;
    stats:--fade-curve) COMPREPLY=($(compgen -W "linear sine exponential" -- "$word")); return ;;
    stats:--gain|stats:-g) return ;;
    stats:--normalize) return ;;
    stats:--loudness) return ;;
    stats:--peak) return ;;
    stats:--jobs|stats:-j) return ;;
    compare:--search) return ;;
    compare:--within) return ;;
    spectrogram:--output|spectrogram:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    spectrogram:--width) return ;;
    spectrogram:--height) return ;;
    spectrogram:--range) return ;;
    spectrogram:--from) return ;;
    spectrogram:--to) return ;;
    spectrogram:--remove-silence) return ;;
    spectrogram:--silence-level) return ;;
    spectrogram:--pick) return ;;
    spectrogram:--tempo) return ;;
    spectrogram:--pitch) return ;;
    spectrogram:--speed) return ;;
    spectrogram:--fade-in) return ;;
    spectrogram:--fade-out) return ;;
    spectrogram:--fade-curve) COMPREPLY=($(compgen -W "linear sine exponential" -- "$word")); return ;;
    spectrogram:--gain|spectrogram:-g) return ;;
    spectrogram:--normalize) return ;;
    spectrogram:--loudness) return ;;
    spectrogram:--peak) return ;;
    plot:--output|plot:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    plot:--rate|plot:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    view:--device|view:-d) _au_dynamic device "$word"; return ;;
    graph:--seconds|graph:-t) return ;;
    graph:--device|graph:-d) _au_dynamic device "$word"; return ;;
    graph:--output|graph:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    graph:--rate|graph:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    graph:--bits|graph:-b) COMPREPLY=($(compgen -W "16 24 32f" -- "$word")); return ;;
    graph:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    graph:--svg) COMPREPLY=($(compgen -f -- "$word")); return ;;
    devices:--default) COMPREPLY=($(compgen -W "output input both" -- "$word")); return ;;
    devices:--volume) return ;;
    devices:--mute) COMPREPLY=($(compgen -W "on off" -- "$word")); return ;;
    devices:--rate|devices:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    devices:--cycle) return ;;
    session:--category) COMPREPLY=($(compgen -W "ambient soloAmbient playback record playAndRecord multiRoute" -- "$word")); return ;;
    session:--mode) COMPREPLY=($(compgen -W "default voiceChat gameChat videoRecording measurement moviePlayback videoChat spokenAudio voicePrompt shortFormVideo" -- "$word")); return ;;
    session:--rate|session:-r) COMPREPLY=($(compgen -W "8000 16000 22050 44100 48000 88200 96000 176400 192000" -- "$word")); return ;;
    session:--cycle) return ;;
    aggregate:--part) _au_dynamic device "$word"; return ;;
    aggregate:--main) _au_dynamic device "$word"; return ;;
    aggregate:--title) return ;;
    aggregate:--uncorrected) _au_dynamic device "$word"; return ;;
    midi:--seconds|midi:-t) return ;;
    midi:--virtual) return ;;
    midi:--channel) return ;;
    midi:--duration) return ;;
    midi:--delay) return ;;
    midi:--bank) COMPREPLY=($(compgen -f -- "$word")); return ;;
    loopback:--device|loopback:-d) _au_dynamic device "$word"; return ;;
    loopback:--level|loopback:-l) return ;;
    loopback:--rounds) return ;;
    validate:--format|validate:-f) COMPREPLY=($(compgen -W "au lv2 ladspa clap" -- "$word")); return ;;
    validate:--plug-in) COMPREPLY=($(compgen -f -- "$word")); return ;;
    validate:--strictness) return ;;
    validate:--check) return ;;
    compatibility:--functions) COMPREPLY=($(compgen -f -- "$word")); return ;;
    compatibility:--notes) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case ${COMP_WORDS[1]} in
    list)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--all --keys --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    plug-ins)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--rescan --block --unblock --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    info)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--measure --svg --jobs --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    tone)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--level --calibration --waveform --file --duty --phase --order --band --am --fm --lock --on --sweep --curve --steps --dwell --end-level --burst --add --crest --same-noise --delay --repeat --pause --seconds --fade --device --output --rate --channels --bits --dither --effect --stats --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    play)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--from --to --rate --pitch --effect --out-of-process --device --loop --gain --lfe --bank --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    record)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--output --seconds --device --rate --channels --lfe --bits --start-above --stop-below --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    render)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--output --format --tail --preset --bank --channels --lfe --out-of-process --bits --dither --list --shard --overwrite --force --fsync --jobs --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    convert)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--output --format --codec --rate --bits --channels --lfe --bitrate --vbr --quality --dither --from --to --trim --remove-silence --silence-level --reverse --pick --tempo --pitch --speed --fade-in --fade-out --fade-curve --gain --normalize --loudness --peak --tag --picture --marker --loop --raw-in --raw-out --no-tags --list --shard --overwrite --force --fsync --jobs --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    join)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--output --format --codec --rate --bits --channels --lfe --bitrate --vbr --quality --dither --from --to --trim --remove-silence --silence-level --reverse --pick --tempo --pitch --speed --fade-in --fade-out --fade-curve --gain --normalize --loudness --peak --tag --picture --marker --loop --no-tags --force --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    mix)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--output --format --level --codec --rate --bits --channels --lfe --bitrate --vbr --quality --dither --from --to --trim --remove-silence --silence-level --reverse --pick --tempo --pitch --speed --fade-in --fade-out --fade-curve --gain --normalize --loudness --peak --tag --picture --marker --loop --no-tags --force --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    split)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--output --format --every --silence --silence-level --markers --codec --rate --bits --channels --lfe --bitrate --vbr --quality --dither --no-tags --force --jobs --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    stats)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--from --to --trim --remove-silence --silence-level --reverse --pick --tempo --pitch --speed --fade-in --fade-out --fade-curve --gain --normalize --loudness --peak --jobs --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    compare)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--search --within --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    spectrogram)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--output --width --height --range --log --from --to --trim --remove-silence --silence-level --reverse --pick --tempo --pitch --speed --fade-in --fade-out --fade-curve --gain --normalize --loudness --peak --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    plot)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--output --rate --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    view)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--input --out-of-process --device --terminal --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    graph)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--seconds --device --output --rate --bits --dither --text --svg --check --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    new)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--swift --plug-in --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    devices)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--default --volume --mute --rate --cycle --watch --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    session) COMPREPLY=($(compgen -W "--category --mode --rate --cycle --watch --json --help" -- "$word")) ;;
    aggregate)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--part --main --title --stacked --uncorrected --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    midi)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--seconds --virtual --channel --duration --delay --bank --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    loopback) COMPREPLY=($(compgen -W "--device --level --rounds --json --help" -- "$word")) ;;
    validate)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--all --format --plug-in --out-of-process --strictness --check --full --checks --json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    explain)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "--json --help" -- "$word"))
      else
        _au_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
      fi ;;
    compatibility) COMPREPLY=($(compgen -W "--functions --notes --help" -- "$word")) ;;
    help) COMPREPLY=($(compgen -W "list plug-ins info tone play record render convert join mix split stats compare spectrogram plot view graph new devices session aggregate midi loopback validate explain compatibility" -- "$word")) ;;
    completions) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")) ;;
  esac
}
complete -F _au au
