# SPDX-License-Identifier: Apache-2.0
# Completion of au in bash; written by `au completions bash`.
_au_dynamic() {
  # Bash ends words at "=" and ":" as well; only what follows the last of them is replaced.
  local current=${COMP_WORDS[COMP_CWORD]} reply
  [[ $current == [=:] ]] && current=
  while read -r reply; do
    COMPREPLY+=("${reply#"${2%"$current"}"}")
  done < <(au words "$1" "$2" 2>/dev/null)
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
    COMPREPLY=($(compgen -W "list info tone play record render convert plot graph new devices session aggregate midi loopback validate explain compatibility help completions --help --version" -- "$word"))
    return
  fi
  case ${COMP_WORDS[1]}:$previous in
    info:--svg) COMPREPLY=($(compgen -f -- "$word")); return ;;
    tone:--seconds) return ;;
    tone:--level) return ;;
    tone:--calibration) return ;;
    tone:--waveform) COMPREPLY=($(compgen -W "sine square triangle saw white pink" -- "$word")); return ;;
    tone:--duty) return ;;
    tone:--band) return ;;
    tone:--sweep) return ;;
    tone:--curve) COMPREPLY=($(compgen -W "logarithmic linear" -- "$word")); return ;;
    tone:--end-level) return ;;
    tone:--burst) return ;;
    tone:--add) return ;;
    tone:--crest) COMPREPLY=($(compgen -W "lowest highest" -- "$word")); return ;;
    tone:--fade) return ;;
    tone:--device|tone:-d) _au_dynamic device "$word"; return ;;
    tone:--output|tone:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    tone:--rate) return ;;
    tone:--channels) return ;;
    tone:--bits) COMPREPLY=($(compgen -W "16 24 32f" -- "$word")); return ;;
    tone:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    tone:--effect) _au_dynamic settings "$word"; return ;;
    play:--rate) return ;;
    play:--pitch) return ;;
    play:--effect) _au_dynamic settings "$word"; return ;;
    play:--device|play:-d) _au_dynamic device "$word"; return ;;
    play:--gain) return ;;
    play:--lfe) return ;;
    play:--bank) COMPREPLY=($(compgen -f -- "$word")); return ;;
    record:--output|record:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    record:--seconds) return ;;
    record:--device|record:-d) _au_dynamic device "$word"; return ;;
    record:--rate) return ;;
    record:--channels) return ;;
    record:--lfe) return ;;
    record:--bits) return ;;
    record:--start-above) return ;;
    record:--stop-below) return ;;
    render:--tail) return ;;
    render:--preset) return ;;
    render:--bank) COMPREPLY=($(compgen -f -- "$word")); return ;;
    render:--channels) return ;;
    render:--lfe) return ;;
    render:--bits) COMPREPLY=($(compgen -W "16 24 32f" -- "$word")); return ;;
    render:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    convert:--output|convert:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    convert:--format) return ;;
    convert:--codec) return ;;
    convert:--rate) return ;;
    convert:--bits) return ;;
    convert:--channels) return ;;
    convert:--lfe) return ;;
    convert:--bitrate) return ;;
    convert:--vbr) return ;;
    convert:--quality) COMPREPLY=($(compgen -W "low normal high mastering" -- "$word")); return ;;
    convert:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    convert:--normalize) return ;;
    convert:--jobs) return ;;
    plot:--output|plot:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    plot:--rate) return ;;
    graph:--seconds) return ;;
    graph:--device|graph:-d) _au_dynamic device "$word"; return ;;
    graph:--output|graph:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    graph:--rate) return ;;
    graph:--bits) COMPREPLY=($(compgen -W "16 24 32f" -- "$word")); return ;;
    graph:--dither) COMPREPLY=($(compgen -W "none triangular shaped" -- "$word")); return ;;
    graph:--svg) COMPREPLY=($(compgen -f -- "$word")); return ;;
    devices:--default) COMPREPLY=($(compgen -W "output input both" -- "$word")); return ;;
    devices:--volume) return ;;
    devices:--mute) COMPREPLY=($(compgen -W "on off" -- "$word")); return ;;
    devices:--rate) return ;;
    devices:--cycle) return ;;
    session:--category) COMPREPLY=($(compgen -W "ambient soloAmbient playback record playAndRecord multiRoute" -- "$word")); return ;;
    session:--mode) COMPREPLY=($(compgen -W "default voiceChat gameChat videoRecording measurement moviePlayback videoChat spokenAudio voicePrompt shortFormVideo" -- "$word")); return ;;
    session:--rate) return ;;
    session:--cycle) return ;;
    aggregate:--part) _au_dynamic device "$word"; return ;;
    aggregate:--main) _au_dynamic device "$word"; return ;;
    aggregate:--title) return ;;
    aggregate:--uncorrected) _au_dynamic device "$word"; return ;;
    midi:--seconds) return ;;
    midi:--virtual) return ;;
    midi:--channel) return ;;
    midi:--duration) return ;;
    midi:--delay) return ;;
    midi:--bank) COMPREPLY=($(compgen -f -- "$word")); return ;;
    loopback:--device|loopback:-d) _au_dynamic device "$word"; return ;;
    loopback:--level) return ;;
    loopback:--rounds) return ;;
    validate:--plug-in) COMPREPLY=($(compgen -f -- "$word")); return ;;
    validate:--strictness) return ;;
    validate:--check) return ;;
    compatibility:--functions) COMPREPLY=($(compgen -f -- "$word")); return ;;
    compatibility:--notes) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case ${COMP_WORDS[1]} in
    list) COMPREPLY=($(compgen -W "--json --help" -- "$word")); [[ $word == -* ]] || _au_dynamic type "$word" ;;
    info) COMPREPLY=($(compgen -W "--svg --json --help" -- "$word")); [[ $word == -* ]] || _au_dynamic unit "$word" ;;
    tone) COMPREPLY=($(compgen -W "--seconds --level --calibration --waveform --duty --band --sweep --curve --end-level --burst --add --crest --fade --device --output --rate --channels --bits --dither --effect --same-noise --stats --help" -- "$word")) ;;
    play) COMPREPLY=($(compgen -W "--rate --pitch --effect --device --loop --gain --lfe --bank --help" -- "$word")); [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word")) ;;
    record) COMPREPLY=($(compgen -W "--output --seconds --device --rate --channels --lfe --bits --start-above --stop-below --help" -- "$word")); [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word")) ;;
    render) COMPREPLY=($(compgen -W "--tail --preset --bank --channels --lfe --bits --dither --help" -- "$word")); [[ $word == -* ]] || _au_dynamic settings "$word"; [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word")) ;;
    convert) COMPREPLY=($(compgen -W "--output --format --codec --rate --bits --channels --lfe --bitrate --vbr --quality --dither --normalize --trim --no-tags --overwrite --jobs --json --help" -- "$word")); [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word")) ;;
    plot) COMPREPLY=($(compgen -W "--output --rate --help" -- "$word")); [[ $word == -* ]] || _au_dynamic settings "$word" ;;
    graph) COMPREPLY=($(compgen -W "--seconds --device --output --rate --bits --dither --text --svg --check --json --help" -- "$word")); [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word")) ;;
    new) COMPREPLY=($(compgen -W "--help" -- "$word")); [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word")) ;;
    devices) COMPREPLY=($(compgen -W "--default --volume --mute --rate --cycle --watch --json --help" -- "$word")); [[ $word == -* ]] || _au_dynamic device "$word"; [[ $word == -* ]] || _au_dynamic device "$word" ;;
    session) COMPREPLY=($(compgen -W "--category --mode --rate --cycle --watch --json --help" -- "$word")) ;;
    aggregate) COMPREPLY=($(compgen -W "list make destroy --part --main --title --stacked --uncorrected --json --help" -- "$word")); [[ $word == -* ]] || _au_dynamic aggregate "$word" ;;
    midi) COMPREPLY=($(compgen -W "list monitor send play record keyboard --seconds --virtual --channel --duration --delay --bank --json --help" -- "$word")); [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word")) ;;
    loopback) COMPREPLY=($(compgen -W "--device --level --rounds --json --help" -- "$word")) ;;
    validate) COMPREPLY=($(compgen -W "--all --plug-in --strictness --check --full --checks --json --help" -- "$word")); [[ $word == -* ]] || _au_dynamic unit "$word" ;;
    explain) COMPREPLY=($(compgen -W "--json --help" -- "$word")); [[ $word == -* ]] || _au_dynamic code "$word" ;;
    compatibility) COMPREPLY=($(compgen -W "--functions --notes --help" -- "$word")) ;;
    help) COMPREPLY=($(compgen -W "list info tone play record render convert plot graph new devices session aggregate midi loopback validate explain compatibility" -- "$word")) ;;
    completions) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")) ;;
  esac
}
complete -F _au au
