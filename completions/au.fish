# SPDX-License-Identifier: Apache-2.0
# Completion of au in fish; written by `au completions fish`.
complete -c au -f
complete -c au -n '__fish_use_subcommand' -a list -d 'list the components that there are'
complete -c au -n '__fish_use_subcommand' -a info -d 'describe a unit: formats, properties, parameters, presets'
complete -c au -n '__fish_use_subcommand' -a tone -d 'play a tone, or write it to a file'
complete -c au -n '__fish_use_subcommand' -a explain -d 'say what a result means and what to do about it'
complete -c au -n '__fish_use_subcommand' -a compatibility -d 'print what this library has, as Markdown'
complete -c au -n '__fish_use_subcommand' -a help -d 'explain a command'
complete -c au -n '__fish_use_subcommand' -a completions -d 'print what makes a shell complete'
complete -c au -n '__fish_seen_subcommand_from list' -l json -d 'print JSON'
complete -c au -n '__fish_seen_subcommand_from info' -l json -d 'print JSON'
complete -c au -n '__fish_seen_subcommand_from tone' -l seconds -x -d 'how long, fades included'
complete -c au -n '__fish_seen_subcommand_from tone' -l level -x -d 'the peak of the wave, below full scale'
complete -c au -n '__fish_seen_subcommand_from tone' -l waveform -x -a "sine square triangle saw white pink" -d 'the shape of the wave'
complete -c au -n '__fish_seen_subcommand_from tone' -l duty -x -d 'how long a square is high'
complete -c au -n '__fish_seen_subcommand_from tone' -l fade -x -d 'how long it takes to begin and to end; to a device 0.04, to a file nothing, when it is not said'
complete -c au -n '__fish_seen_subcommand_from tone' -l device -x -d 'play to this device'
complete -c au -n '__fish_seen_subcommand_from tone' -l output -r -F -d 'write 32-bit float to a file instead'
complete -c au -n '__fish_seen_subcommand_from tone' -l rate -x -d 'the sample rate of the file, or of devices null and file (48000, when it is not said)'
complete -c au -n '__fish_seen_subcommand_from tone' -l channels -x -d 'the channels of the file (1, when it is not said), or of devices null and file (2)'
complete -c au -n '__fish_seen_subcommand_from tone' -l stats -d 'print what was rendered, and how fast'
complete -c au -n '__fish_seen_subcommand_from explain' -l json -d 'print JSON'
complete -c au -n '__fish_seen_subcommand_from compatibility' -l functions -r -F -d 'list the functions that this file names, one on a line'
complete -c au -n '__fish_seen_subcommand_from compatibility' -l notes -r -F -d 'add this text about deliberate differences'
complete -c au -n '__fish_seen_subcommand_from help' -a "list info tone explain compatibility"
complete -c au -n '__fish_seen_subcommand_from completions' -a "bash zsh fish"
