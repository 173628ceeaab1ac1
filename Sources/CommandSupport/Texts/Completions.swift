// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Shells that can complete a command line.
enum Shell: String, CaseIterable { case bash, zsh, fish }

/// Completion scripts for a program with commands.
struct Completions {
  private let program: Program

  init(_ program: Program) { self.program = program }

  /// The script for a shell.
  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private var commandNames: [String] {
    program.commands.map(\.name) + ["help", "completions"]
  }

  private var shells: String { Shell.allCases.map(\.rawValue).joined(separator: " ") }

  private func flagNames(_ command: Command) -> [String] {
    command.options.map(\.name) + ["--help"]
  }

  // MARK: bash

  private var bash: String {
    """
    # SPDX-License-Identifier: Apache-2.0
    # Completion of \(program.name) in bash; written by `\(program.name) completions bash`.
    _\(program.name)_dynamic() {
      # Bash ends words at "=" and ":" as well; only what follows the last of them is replaced.
      local current=${COMP_WORDS[COMP_CWORD]} reply
      [[ $current == [=:] ]] && current=
      while read -r reply; do
        if [[ $reply == \(Completion.files) ]]; then
          while read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -f -- "$2")
          compopt -o filenames 2>/dev/null
          continue
        fi
        reply=${reply#"${2%"$current"}"}
        [[ $reply == *" "* ]] && printf -v reply %q "$reply"
        COMPREPLY+=("$reply")
      done < <(\(program.name) words "$@" 2>/dev/null)
      [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    }
    _\(program.name)() {
      local line=${COMP_LINE:-"${COMP_WORDS[*]}"}
      line=${line:0:${COMP_POINT:-${#line}}}
      local -a typed
      read -ra typed <<<"$line"
      [[ $line == *" " ]] && typed+=("")
      local word=${typed[-1]} previous=${typed[-2]}
      COMPREPLY=()
      if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "\(commandNames.joined(separator: " ")) --help --version" -- "$word"))
        return
      fi
      case ${COMP_WORDS[1]}:$previous in
    \(bashValues.joined(separator: "\n"))
      esac
      case ${COMP_WORDS[1]} in
    \(bashCommands.joined(separator: "\n"))
      esac
    }
    complete -F _\(program.name) \(program.name)
    """
  }

  private var bashValues: [String] {
    program.commands.flatMap { command in
      command.options.filter { $0.expected != nil }.map { option in
        let reply =
          switch option.completion {
          case .none: ""
          case .file: "COMPREPLY=($(compgen -f -- \"$word\")); "
          case .words(let words):
            "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\")); "
          case .dynamic(let kind): "_\(program.name)_dynamic \(kind) \"$word\"; "
          }
        let names = [option.name, option.shortName].compactMap(\.self)
          .map { "\(command.name):\($0)" }.joined(separator: "|")
        return "    \(names)) \(reply)return ;;"
      }
    }
  }

  private var bashCommands: [String] {
    let own = program.commands.map { command in
      let flags = flagNames(command).joined(separator: " ")
      let offered = "COMPREPLY=($(compgen -W \"\(flags)\" -- \"$word\"))"
      guard !command.positionals.isEmpty else { return "    \(command.name)) \(offered) ;;" }
      return """
            \(command.name))
              if [[ $word == -* ]]; then
                \(offered)
              else
                _\(program.name)_dynamic - "$word" "${typed[@]:1:${#typed[@]}-2}"
              fi ;;
        """
    }
    let commands = program.commands.map(\.name).joined(separator: " ")
    return own + [
      "    help) COMPREPLY=($(compgen -W \"\(commands)\" -- \"$word\")) ;;",
      "    completions) COMPREPLY=($(compgen -W \"\(shells)\" -- \"$word\")) ;;",
    ]
  }

  // MARK: zsh

  private var zsh: String {
    let commands = program.commands.map {
      "    \(Self.quote("\($0.name):\($0.summary)"))"
    }
    return """
      #compdef \(program.name)
      # SPDX-License-Identifier: Apache-2.0
      # Completion of \(program.name) in zsh; written by `\(program.name) completions zsh`.
      (( $+functions[_\(program.name)_dynamic] )) || _\(program.name)_dynamic() {
        local -a found
        found=(${(f)"$(\(program.name) words $1 "$PREFIX" ${(Q)words[1,CURRENT-1]} 2>/dev/null)"})
        if (( ${found[(I)\(Completion.files)]} )); then
          found=(${found:#\(Completion.files)})
          _files
        fi
        compadd -S '' -- ${(M)found:#*=}
        compadd -- ${found:#*=}
      }
      local -a choices=(
      \(commands.joined(separator: "\n"))
          'help:explain a command'
          'completions:print what makes a shell complete'
      )
      if ((CURRENT == 2)); then
        _describe command choices
        return
      fi
      local command=$words[2]
      shift words
      ((CURRENT--))
      case $command in
      \(zshCommands.joined(separator: "\n"))
        help) _values command \(program.commands.map(\.name).joined(separator: " ")) ;;
        completions) _values shell \(shells) ;;
      esac
      """
  }

  private var zshCommands: [String] {
    program.commands.map { command in
      var arguments = command.options.flatMap { option in
        let meaning = option.help.replacingOccurrences(of: "]", with: "\\]")
        return [option.name, option.shortName].compactMap(\.self).map {
          Self.quote("\($0)[\(meaning)]\(zshValue(option))")
        }
      }
      if !command.positionals.isEmpty {
        // The space prevents `_arguments` from adding words.
        arguments.append(Self.quote("*:argument: _\(program.name)_dynamic -"))
      }
      arguments.append(Self.quote("--help[show help]"))
      return "  \(command.name)) _arguments \(arguments.joined(separator: " ")) ;;"
    }
  }

  private func zshValue(_ parameter: any Parameter) -> String {
    guard parameter.expected != nil else { return "" }
    let name = parameter.name.replacingOccurrences(of: "--", with: "").lowercased()
    return switch parameter.completion {
    case .none: ":\(name): "
    case .file: ":\(name):_files"
    case .words(let words): ":\(name):(\(words.joined(separator: " ")))"
    // The space prevents `_arguments` from adding words.
    case .dynamic(let kind): ":\(name): _\(program.name)_dynamic \(kind)"
    }
  }

  // MARK: fish

  private var fish: String {
    var lines = [
      "# SPDX-License-Identifier: Apache-2.0",
      "# Completion of \(program.name) in fish; written by `\(program.name) completions fish`.",
      """
      function __\(program.name)_arguments
        set -l text (commandline -ct)
        for reply in (\(program.name) words - "$text" (commandline -opc)[2..-1] 2>/dev/null)
          if test "$reply" = \(Completion.files)
            __fish_complete_path "$text"
          else
            echo $reply
          end
        end
      end
      """,
      "complete -c \(program.name) -f",
    ]
    for command in program.commands {
      lines.append(fishLine("__fish_use_subcommand", "-a \(command.name)", command.summary))
    }
    lines.append(fishLine("__fish_use_subcommand", "-a help", "explain a command"))
    lines.append(
      fishLine("__fish_use_subcommand", "-a completions", "print what makes a shell complete"))
    for command in program.commands {
      let chosen = "__fish_seen_subcommand_from \(command.name)"
      for option in command.options {
        let short = option.shortName.map { "-s \($0.dropFirst()) " } ?? ""
        let name = "\(short)-l \(option.name.dropFirst(2))"
        lines.append(fishLine(chosen, name + fishValue(option), option.help))
      }
      if !command.positionals.isEmpty {
        lines.append(fishLine(chosen, "-a '(__\(program.name)_arguments)'", ""))
      }
    }
    let names = program.commands.map(\.name).joined(separator: " ")
    lines.append(fishLine("__fish_seen_subcommand_from help", "-a \"\(names)\"", ""))
    lines.append(fishLine("__fish_seen_subcommand_from completions", "-a \"\(shells)\"", ""))
    return lines.joined(separator: "\n")
  }

  private func fishLine(_ condition: String, _ what: String, _ meaning: String) -> String {
    let description = meaning.isEmpty ? "" : " -d \(Self.quote(meaning))"
    return "complete -c \(program.name) -n '\(condition)' \(what)\(description)"
  }

  private func fishDynamic(_ kind: String) -> String {
    "(\(program.name) words \(kind) (commandline -ct))"
  }

  private func fishValue(_ option: any Parameter) -> String {
    guard option.expected != nil else { return "" }
    return switch option.completion {
    case .none: " -x"
    case .file: " -r -F"
    case .words(let words): " -x -a \"\(words.joined(separator: " "))\""
    case .dynamic(let kind): " -x -a '\(fishDynamic(kind))'"
    }
  }

  /// A word in single quotes, which no shell expands.
  private static func quote(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
