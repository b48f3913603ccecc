@testable import CommandLine
import Foundation
import TestSupport
import Testing

@Suite struct CompletionTests {
  @Test(.needs("bash"), arguments: CompletionCase.all + CompletionCase.mixed + CompletionCase.listed)
  func bash(
    example: CompletionCase
  ) throws {
    let words = try offered(
      by: "bash", of: example.tool, script: .bash, arguments: ["--norc", "driver", example.line],
      driver: #"""
        source ./script
        read -ra words <<<"${1//=/ = }"
        [[ $1 == *' ' ]] && words+=('')
        COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
        _tool tool "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
        """#)
    #expect(words == example.words)
  }

  @Test(.needs("zsh"), arguments: CompletionCase.all + CompletionCase.mixed + CompletionCase.listed) func zsh(
    example: CompletionCase
  )
    throws
  {
    let words = try offered(
      by: "zsh", of: example.tool, script: .zsh, file: "_tool", arguments: ["-f", "driver"],
      driver: Self.zshDriver, setup: Self.zshSetup, line: example.line)
    #expect(words == example.words)
  }

  @Test(.needs("fish"), arguments: CompletionCase.all + CompletionCase.mixed + CompletionCase.listed)
  func fish(
    example: CompletionCase
  ) throws {
    let words = try offered(
      by: "fish", of: example.tool, script: .fish, arguments: ["--no-config", "driver", example.line],
      driver: #"""
        source ./script
        complete -C "$argv[1]" | string replace -r '\t.*' '' | string replace -r '^--[^=]+=' ''
        """#)
    #expect(words == example.words)
  }

  private static let zshDriver = #"""
    : >result
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'stty columns 500; source ./setup'
    while zpty -r shell line; do :; done
    cat result

    """#

  /// What zsh has found in its own folders, for the cases that follow.
  ///
  /// zsh renames a whole file to it, so cases may run side by side.
  private static let dump: String = {
    atexit { try? FileManager.default.removeItem(atPath: CompletionTests.dump) }
    return FileManager.default.temporaryDirectory.appending(path: "CompletionTests.\(getpid())").path
  }()

  /// A line editor that completes one line, notes what is offered, and ends.
  private static let zshSetup = #"""
    fpath=($PWD $fpath)
    autoload -Uz compinit && compinit -u -d "$ZCOMPDUMP"
    [[ $_comps[tool] == _tool ]] || print -r -- "not loaded" >>result
    compadd() {
      if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        local -a found
        builtin compadd -A found "$@"
        print -rl -- ${(Q)found} >>result
        local -i place=$@[(I)-d]
        ((place)) && print -rl -- ${(P)@[place + 1]} >>descriptions
      fi
      builtin compadd "$@"
    }
    zle -C capture complete-word _main_complete
    zle-line-init() {
      BUFFER=$LINE_TO_COMPLETE CURSOR=$#LINE_TO_COMPLETE
      zle capture
      exit
    }
    zle -N zle-line-init
    """#

  @Test(.needs("zsh")) func zshShowsTheDescriptionsAsTheyAre() throws {
    let words = try offered(
      by: "zsh", script: .zsh, file: "_tool", arguments: ["-f", "driver"],
      driver: Self.zshDriver.replacing("result\n", with: "descriptions\n"), setup: Self.zshSetup,
      line: "tool decode --no")
    #expect(words.contains { $0.hasSuffix(Fixture.hostile.dropLast()) }, "\(words)")
  }

  private func offered(
    by shell: String, of tool: Command = Fixture.tool, script: OptionsOfAllTools.Request,
    file: String = "script", arguments: [String],
    driver: String, setup: String = "", line: String = ""
  ) throws -> Set<String> {
    let folder = try CompletionCase.folder()
    try folder.write(tool.generated(script), to: file)
    try folder.write(driver, to: "driver")
    try folder.write(setup, to: "setup")
    let environment = [
      "PATH": folder.path("bin") + ":/usr/bin:/bin", "HOME": folder.path("."), "LINE_TO_COMPLETE": line,
      "XDG_DATA_HOME": folder.path("."), "XDG_CONFIG_HOME": folder.path("."), "TERM": "dumb",
      "ZCOMPDUMP": Self.dump,
    ]
    let result = try #require(Program(shell)).run(arguments, in: folder.url, environment: environment)
    #expect(result.errors == "")
    return Set(result.output.split(separator: "\n").map(String.init))
  }

  @Test(.needs("bash")) func bashCompletesValuesWhereTheEqualsSignBreaksNoWords() throws {
    let words = try offered(
      by: "bash", script: .bash, arguments: ["--norc", "driver"],
      driver: #"""
        source ./script
        COMP_WORDBREAKS=' ' COMP_WORDS=(tool decode --prefix=l) COMP_CWORD=2
        _tool
        printf '%s\n' "${COMPREPLY[@]}"
        """#)
    #expect(words == ["--prefix=le16"])
  }

  @Test(
    "bash splits what is typed at colons, and takes quoted words",
    .needs("bash"),
    arguments: [
      ("tool dir:/s", "dir : /s", "/stick"), ("tool dir:", "dir :", "/stick"),
      ("tool --peer=dir:/s", "--peer = dir : /s", "/stick"), ("tool Ann\\'", "Ann\\'", #"Ann\'s\ tablet"#),
    ])
  func bashCompletesListedValues(line: String, words: String, expected: String) throws {
    let offers = try offered(
      by: "bash", of: Fixture.listed, script: .bash, arguments: ["--norc", "driver", line, words],
      driver: #"""
        source ./script
        COMP_WORDBREAKS=$' \t\n"\'><=;|&(:' COMP_LINE=$1 COMP_POINT=${#1}
        read -ra words <<<"tool ${2//\\/\\\\}"
        COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
        _tool
        printf '%s\n' "${COMPREPLY[@]}"
        """#)
    #expect(offers == [expected])
  }

  @Test(.needs("fish")) func fishShowsTheDescriptionsAsTheyAre() throws {
    let folder = try CompletionCase.folder()
    try folder.write(Fixture.tool.generated(.fish), to: "script")
    let command = "source ./script; complete -C 'tool decode --not'; complete -C 'tool dec'"
    let result = try #require(Program("fish")).run(["--no-config", "-c", command], in: folder.url)
    let note = "--note\t" + Fixture.hostile.dropLast()
    #expect(result.output == "\(note)\ndecode\t\(Fixture.decode.abstract)\n")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func scriptsDoNotDependOnAnotherPackage(shell: String) throws {
    let script = Fixture.tool.generated(try #require(OptionsOfAllTools.Request(rawValue: shell)))
    for word in ["_init_completion", "_get_comp_words", "_filedir", "_command_offset", "bash_completion"] {
      #expect(!script.contains(word))
    }
  }
}
