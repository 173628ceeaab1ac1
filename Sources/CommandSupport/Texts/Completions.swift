// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Shells that can complete a command line.
enum Shell: String, CaseIterable { case bash, zsh, fish }

/// What makes a shell complete the command lines of a program with commands.
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

  /// The words that a command's positional arguments may be.
  private func words(_ command: Command) -> [String] {
    command.positionals.flatMap { parameter -> [String] in
      if case .words(let words) = parameter.completion { return words }
      return []
    }
  }

  private func flagNames(_ command: Command) -> [String] {
    command.options.map(\.name) + ["--help"]
  }

  // MARK: bash

  private var bash: String {
    """
    # SPDX-License-Identifier: Apache-2.0
    # Completion of \(program.name) in bash; written by `\(program.name) completions bash`.
    _\(program.name)() {
      local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
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
          }
        return "    \(command.name):\(option.name)) \(reply)return ;;"
      }
    }
  }

  private var bashCommands: [String] {
    let own = program.commands.map { command in
      let all = (words(command) + flagNames(command)).joined(separator: " ")
      return "    \(command.name)) COMPREPLY=($(compgen -W \"\(all)\" -- \"$word\")) ;;"
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
      local -a commands=(
      \(commands.joined(separator: "\n"))
          'help:explain a command'
          'completions:print what makes a shell complete'
      )
      if ((CURRENT == 2)); then
        _describe command commands
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
      var arguments = command.options.map { option in
        let meaning = option.help.replacingOccurrences(of: "]", with: "\\]")
        return Self.quote("\(option.name)[\(meaning)]\(Self.zshValue(option))")
      }
      arguments += command.positionals.enumerated().map { index, argument in
        Self.quote("\(index + 1)\(argument.isRequired ? "" : ":")\(Self.zshValue(argument))")
      }
      arguments.append(Self.quote("--help[show help]"))
      return "  \(command.name)) _arguments \(arguments.joined(separator: " ")) ;;"
    }
  }

  private static func zshValue(_ parameter: any Parameter) -> String {
    guard parameter.expected != nil else { return "" }
    let name = parameter.name.replacingOccurrences(of: "--", with: "").lowercased()
    return switch parameter.completion {
    case .none: ":\(name): "
    case .file: ":\(name):_files"
    case .words(let words): ":\(name):(\(words.joined(separator: " ")))"
    }
  }

  // MARK: fish

  private var fish: String {
    var lines = [
      "# SPDX-License-Identifier: Apache-2.0",
      "# Completion of \(program.name) in fish; written by `\(program.name) completions fish`.",
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
        let name = "-l \(option.name.dropFirst(2))"
        lines.append(fishLine(chosen, name + Self.fishValue(option), option.help))
      }
      if !words(command).isEmpty {
        lines.append(fishLine(chosen, "-a \"\(words(command).joined(separator: " "))\"", ""))
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

  private static func fishValue(_ option: any Parameter) -> String {
    guard option.expected != nil else { return "" }
    return switch option.completion {
    case .none: " -x"
    case .file: " -r -F"
    case .words(let words): " -x -a \"\(words.joined(separator: " "))\""
    }
  }

  /// A word that no shell looks into.
  private static func quote(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
