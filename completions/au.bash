# SPDX-License-Identifier: Apache-2.0
# Completion of au in bash; written by `au completions bash`.
_au() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "list info tone plot graph new devices loopback explain compatibility help completions --help --version" -- "$word"))
    return
  fi
  case ${COMP_WORDS[1]}:$previous in
    tone:--seconds) return ;;
    tone:--level) return ;;
    tone:--waveform) COMPREPLY=($(compgen -W "sine square triangle saw white pink" -- "$word")); return ;;
    tone:--duty) return ;;
    tone:--fade) return ;;
    tone:--device) return ;;
    tone:--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
    tone:--rate) return ;;
    tone:--channels) return ;;
    tone:--effect) return ;;
    plot:--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
    plot:--rate) return ;;
    graph:--seconds) return ;;
    graph:--device) return ;;
    graph:--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
    graph:--rate) return ;;
    graph:--svg) COMPREPLY=($(compgen -f -- "$word")); return ;;
    loopback:--device) return ;;
    loopback:--level) return ;;
    loopback:--rounds) return ;;
    compatibility:--functions) COMPREPLY=($(compgen -f -- "$word")); return ;;
    compatibility:--notes) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case ${COMP_WORDS[1]} in
    list) COMPREPLY=($(compgen -W "--json --help" -- "$word")) ;;
    info) COMPREPLY=($(compgen -W "--json --help" -- "$word")) ;;
    tone) COMPREPLY=($(compgen -W "--seconds --level --waveform --duty --fade --device --output --rate --channels --effect --same-noise --stats --help" -- "$word")) ;;
    plot) COMPREPLY=($(compgen -W "--output --rate --help" -- "$word")) ;;
    graph) COMPREPLY=($(compgen -W "--seconds --device --output --rate --text --svg --check --json --help" -- "$word")) ;;
    new) COMPREPLY=($(compgen -W "--help" -- "$word")) ;;
    devices) COMPREPLY=($(compgen -W "--watch --json --help" -- "$word")) ;;
    loopback) COMPREPLY=($(compgen -W "--device --level --rounds --json --help" -- "$word")) ;;
    explain) COMPREPLY=($(compgen -W "--json --help" -- "$word")) ;;
    compatibility) COMPREPLY=($(compgen -W "--functions --notes --help" -- "$word")) ;;
    help) COMPREPLY=($(compgen -W "list info tone plot graph new devices loopback explain compatibility" -- "$word")) ;;
    completions) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")) ;;
  esac
}
complete -F _au au
