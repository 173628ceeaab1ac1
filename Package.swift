// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The folders that C programs search, which pkg-config names once the library is installed.
let headersOfPrograms: [CSetting] = [
  "Sources/CAudioToolbox", "Install/include", "Install/platform",
].map { .headerSearchPath("../../\($0)") }

let package = Package(
  name: "swift-audiotoolbox",
  products: [
    .library(
      name: "AudioToolbox",
      targets: [
        "AudioToolbox", "AVFAudio", "AVFoundation", "AudioUnit", "CoreAudio", "CoreAudioTypes",
        "CoreMIDI",
      ]),
    // Parts of it: the functions of C, and these with the engine.
    .library(
      name: "AudioToolboxFunctions",
      targets: ["AudioToolbox", "AudioUnit", "CoreAudio", "CoreAudioTypes"]),
    .library(name: "AVFAudio", targets: ["AVFAudio"]),
    // Modules beside it. They are apart because other packages test whether they exist.
    .library(name: "Accelerate", targets: ["Accelerate"]),
    .library(name: "os", targets: ["OSLog", "os"]),
    .library(name: "CoreMIDI", targets: ["CoreMIDI"]),
    .executable(name: "au", targets: ["au"]),
    // The same for programs with units of their own.
    .library(name: "AudioUnitTool", targets: ["AudioUnitTool"]),
    .executable(name: "ToneGenerator", targets: ["ToneGenerator"]),
    .executable(name: "PlugInScanner", targets: ["PlugInScanner"]),
    // For the window, which is a separate package.
    .library(
      name: "ToneModel", targets: ["CommandSupport", "PlainText", "ToneModel", "ToneTexts"]),
  ],
  targets: [
    // The C surface: headers only.
    .systemLibrary(name: "CAudioToolbox"),
    .target(name: "CRealTime"),
    .target(name: "CKernels"),
    // Loads optional libraries at run time, so that nothing is linked to a library that may be missing.
    .target(name: "CLibraryLoader"),
    // The binary interfaces of plug-ins, and the host's side of LV2 in C.
    .target(name: "CPlugIns", dependencies: ["CLibraryLoader"]),
    // The blocks of C programs.
    .target(name: "CBlocks"),
    // The libraries of sound servers. Two of them have headers in folders that compilers do not search
    // by default; without them, their back end reports that it is unavailable.
    .target(
      name: "CAudioBackends", dependencies: ["CLibraryLoader"], exclude: ["system-headers"],
      cSettings: [
        .headerSearchPath("system-headers/pipewire-0.3"),
        .headerSearchPath("system-headers/spa-0.2"),
      ]),
    // The libraries for files: codecs, and HRTF data.
    .target(
      name: "CAudioCodecs", dependencies: ["CLibraryLoader"],
      cSettings: [.headerSearchPath("../CKernels")]),

    // Vectors: the C functions of vDSP and vForce, and the Swift half of their module.
    .target(name: "CAccelerate", cSettings: [.headerSearchPath("../CKernels")]),
    .target(name: "Accelerate", dependencies: ["CAccelerate"]),

    // The log, locks and signposts.
    .target(name: "COperatingSystem"),
    .target(name: "os", dependencies: ["COperatingSystem"]),
    .target(name: "OSLog", dependencies: ["os"]),

    // Reading user input, and quoting it in messages.
    .target(name: "PlainText"),

    // Numbers from files, arguments and devices.
    .target(name: "CheckedNumbers"),

    // Names and values of units, as people type them.
    .target(name: "UnitTexts", dependencies: ["CAudioToolbox", "PlainText"]),

    // Signal processing, independent of units.
    .target(name: "SignalProcessing", dependencies: ["CKernels"]),

    // The foundation of all other targets, and PCM format conversion.
    .target(
      name: "AudioSupport",
      dependencies: ["CAudioToolbox", "CRealTime", "CheckedNumbers", "PlainText"]),
    // What MIDI messages say, and events for instruments.
    .target(name: "MIDIMessages", dependencies: ["AudioSupport", "CAudioToolbox"]),
    // Clients of JACK servers, for sound and for MIDI.
    .target(name: "JACKClients", dependencies: ["AudioSupport", "CAudioBackends", "CRealTime"]),
    // Clients, ports and endpoints of MIDI, their delivery thread, and the ports of the machine.
    .target(
      name: "MIDIPorts",
      dependencies: [
        "AudioSupport", "CAudioBackends", "CAudioToolbox", "CRealTime", "CheckedNumbers",
        "JACKClients", "MIDIMessages",
      ]),
    .target(
      name: "AudioConversion", dependencies: ["AudioSupport", "CAudioToolbox", "SignalProcessing"]),

    // Codecs, and conversion of packets between formats.
    .target(
      name: "AudioCodecs",
      dependencies: [
        "AudioSupport", "CAudioCodecs", "CAudioToolbox", "CheckedNumbers", "SignalProcessing",
      ]),
    .target(
      name: "AudioConverters",
      dependencies: [
        "AudioCodecs", "AudioConversion", "AudioSupport", "CAudioToolbox", "CheckedNumbers",
        "SignalProcessing",
      ]),

    // The values of AVFAudio: formats, buffers and times.
    .target(
      name: "AudioValues",
      dependencies: ["AudioConversion", "AudioSupport", "CAudioToolbox", "CheckedNumbers"],
      // For functions whose result cannot outlive the buffer.
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]),

    // Units, the built-in units, and graphs of units.
    .target(
      name: "AudioUnitCore",
      dependencies: [
        "AudioConversion", "AudioSupport", "CAudioToolbox", "CRealTime", "MIDIMessages",
        "PlainText",
        "SignalProcessing", "UnitTexts",
      ]),
    // Plug-ins of other formats as units.
    .target(
      name: "PlugInHosting",
      dependencies: [
        "AudioSupport", "AudioUnitCore", "CAudioToolbox", "CPlugIns", "CRealTime",
        "MIDIMessages", "SignalProcessing",
      ]),
    .target(
      name: "BuiltInUnits",
      dependencies: [
        "AudioCodecs", "AudioConversion", "AudioFiles", "AudioSupport", "AudioUnitCore",
        "CAudioCodecs", "CAudioToolbox", "CRealTime", "FilePlayback", "MIDIMessages",
        "SignalProcessing",
      ]),
    .target(
      name: "ProcessingGraph",
      dependencies: ["AudioSupport", "AudioUnitCore", "CAudioToolbox", "CRealTime"]),

    // The plug-ins of the machine, as components.
    .target(
      name: "PlugInDiscovery",
      dependencies: [
        "AudioSupport", "AudioUnitCore", "CAudioToolbox", "CPlugIns", "PlainText",
        "PlugInHosting", "UnitTexts",
      ]),
    // The program that scans plug-ins for every program.
    .executableTarget(
      name: "PlugInScanner", dependencies: ["PlugInDiscovery", "PlugInHosting"]),
    // Units that render over memory of the program.
    .target(
      name: "UnitChains",
      dependencies: [
        "AudioSupport", "AudioUnitCore", "CAudioToolbox", "CRealTime", "CheckedNumbers",
        "SignalProcessing",
      ]),

    // Musical events, their files, and players that send them to the units of a graph.
    .target(
      name: "MusicSequences", dependencies: ["AudioSupport", "CAudioToolbox", "CheckedNumbers"]),
    .target(
      name: "MusicPlayers",
      dependencies: [
        "AudioSupport", "AudioUnitCore", "CAudioToolbox", "CRealTime", "CheckedNumbers",
        "MusicSequences", "ProcessingGraph",
      ]),

    .target(
      name: "GraphDescription",
      dependencies: [
        "AudioSupport", "AudioUnitCore", "CAudioToolbox", "CheckedNumbers", "PlainText",
        "ProcessingGraph", "UnitTexts",
      ]),

    // Files, playback of files, devices and their objects, and output units.
    .target(
      name: "AudioFiles",
      dependencies: [
        "AudioCodecs", "AudioConversion", "AudioConverters", "AudioSupport", "CAudioToolbox",
        "CRealTime", "CheckedNumbers", "SignalProcessing",
      ]),
    // The schedules of players, and the threads that read files ahead.
    .target(
      name: "FilePlayback",
      dependencies: [
        "AudioConversion", "AudioFiles", "AudioSupport", "CAudioToolbox", "CRealTime",
        "CheckedNumbers", "SignalProcessing",
      ]),
    .target(
      name: "AudioDevices",
      dependencies: [
        "AudioFiles", "AudioSupport", "CAudioBackends", "CRealTime", "CheckedNumbers",
        "JACKClients", "SignalProcessing",
      ]),
    .target(
      name: "AudioHardware",
      dependencies: [
        "AudioConversion", "AudioDevices", "AudioSupport", "CAudioToolbox", "CRealTime",
        "CheckedNumbers", "SignalProcessing",
      ]),
    .target(
      name: "OutputUnits",
      dependencies: [
        "AudioConversion", "AudioDevices", "AudioHardware", "AudioSupport", "AudioUnitCore",
        "CAudioToolbox", "CBlocks", "CRealTime", "CheckedNumbers", "SignalProcessing",
      ]),
    .target(
      name: "AudioQueues",
      dependencies: [
        "AudioConversion", "AudioConverters", "AudioDevices", "AudioFiles", "AudioHardware",
        "AudioSupport", "AudioUnitCore", "CAudioToolbox", "CRealTime", "CheckedNumbers",
        "SignalProcessing",
      ]),

    // The public modules. Only these, AudioValues and the applications use Foundation.
    .target(name: "CoreFoundationBridge", dependencies: ["AudioSupport", "CAudioToolbox"]),
    .target(
      name: "CoreAudio",
      dependencies: [
        "AudioHardware", "AudioSupport", "CAudioToolbox", "CBlocks", "CRealTime", "CheckedNumbers",
        "CoreFoundationBridge",
      ]),
    // The functions of MIDI.
    .target(
      name: "CoreMIDI",
      dependencies: [
        "AudioSupport", "CAudioToolbox", "CBlocks", "CRealTime", "CheckedNumbers", "CoreAudio",
        "CoreFoundationBridge", "MIDIMessages", "MIDIPorts", "MusicPlayers",
      ]),
    // The audio session of the process: categories, preferences, routes.
    .target(
      name: "AudioSessions",
      dependencies: [
        "AudioDevices", "AudioHardware", "AudioSupport", "CRealTime", "CheckedNumbers", "CoreAudio",
      ]),
    .target(
      name: "AudioToolboxFunctions",
      dependencies: [
        "AudioConverters", "AudioFiles", "AudioHardware", "AudioQueues", "AudioSessions",
        "AudioSupport", "AudioUnitCore", "BuiltInUnits", "CAudioToolbox", "CBlocks", "CRealTime",
        "CheckedNumbers", "CoreAudio", "CoreFoundationBridge", "GraphDescription", "MusicPlayers",
        "MusicSequences", "OutputUnits", "PlainText", "PlugInDiscovery", "PlugInHosting",
        "ProcessingGraph",
        "UnitChains",
      ]),
    .target(
      name: "AVFAudio",
      dependencies: [
        "AudioConversion", "AudioDevices", "AudioFiles", "AudioHardware", "AudioSessions",
        "AudioSupport", "AudioToolbox", "AudioUnitCore", "AudioValues", "CheckedNumbers",
        "FilePlayback", "MIDIMessages", "MusicPlayers", "MusicSequences",
      ]),
    // Units as objects: trees of parameters, presets.
    .target(
      name: "AudioUnitObjects",
      dependencies: [
        "AudioSupport", "AudioToolboxFunctions", "AudioUnitCore", "AudioValues", "CAudioToolbox",
        "CBlocks", "CRealTime", "CheckedNumbers", "CoreAudio", "CoreMIDI", "MIDIMessages",
        "SignalProcessing", "UnitTexts",
      ]),
    .target(
      name: "AudioToolbox", dependencies: ["AudioToolboxFunctions", "AudioUnitObjects", "CoreMIDI"]),
    .target(name: "AVFoundation", dependencies: ["AVFAudio", "AudioToolbox", "CoreAudio"]),
    .target(name: "AudioUnit", dependencies: ["AudioToolbox"]),
    .target(name: "CoreAudioTypes", dependencies: ["CoreAudio"]),

    // The applications.
    .target(name: "CProgramArguments"),
    .target(name: "CommandSupport", dependencies: ["CProgramArguments", "PlainText"]),
    // The validator, and its probe for calls that a render must not make.
    .target(name: "CRealTimeProbe"),
    .target(
      name: "UnitValidation",
      dependencies: [
        "AudioSupport", "AudioToolbox", "AudioUnitCore", "CRealTimeProbe", "CoreMIDI",
        "PlugInDiscovery", "PlugInHosting",
      ]),
    .target(
      name: "ToneModel",
      dependencies: [
        "AudioToolbox", "AudioFiles", "CheckedNumbers", "CoreMIDI", "PlainText", "SignalProcessing",
        "UnitTexts",
      ]),
    // The translated texts of both views of the tone generator.
    .systemLibrary(name: "CTranslation"),
    .target(name: "ToneTexts", dependencies: ["ToneModel", "CTranslation"]),
    .target(
      name: "AudioUnitTool",
      dependencies: [
        "AVFAudio", "AudioFiles", "AudioSupport", "AudioToolbox", "CheckedNumbers",
        "CommandSupport", "CoreMIDI", "PlainText", "SignalProcessing", "ToneModel", "UnitTexts",
        "UnitValidation",
      ]),
    // For C programs: the installed library has the code of this program.
    .executableTarget(
      name: "au", dependencies: ["AudioUnitTool", "CAccelerate", "COperatingSystem"]),
    .executableTarget(
      name: "ToneGenerator",
      dependencies: ["AudioToolbox", "CommandSupport", "PlainText", "ToneModel", "ToneTexts"]),

    // Examples, which use only public modules.
    .executableTarget(
      name: "ToneSwift", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/ToneSwift"),
    .executableTarget(
      name: "TenLines", dependencies: ["AVFoundation"], path: "Examples/TenLines",
      exclude: ["tone.c"]),

    .target(
      name: "ExampleSupport", dependencies: ["AVFoundation"], path: "Examples/ExampleSupport",
      exclude: ["example.h", "session.h"]),
    .executableTarget(
      name: "PassThrough", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/PassThrough"),
    .executableTarget(
      name: "PassThroughMixer", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/PassThroughMixer", exclude: ["pass_through_mixer.c"]),
    .executableTarget(
      name: "RingModulator", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/RingModulator"),
    .executableTarget(
      name: "CallbackEffects", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/CallbackEffects"),
    .executableTarget(
      name: "InputMeter", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/InputMeter"),
    .executableTarget(
      name: "OfflineRender", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/OfflineRender", exclude: ["offline_render.c"]),
    .executableTarget(
      name: "PlayFile", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/PlayFile", exclude: ["play_file.c"]),
    .executableTarget(
      name: "PlayMIDI", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/PlayMIDI", exclude: ["play_midi.c"]),
    .executableTarget(
      name: "MixerHost", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/MixerHost", exclude: ["mixer_host.c"]),
    .executableTarget(
      name: "MixerEQ", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/MixerEQ", exclude: ["mixer_eq.c"]),
    .executableTarget(
      name: "Mixer3D", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/Mixer3D", exclude: ["mixer_3d.c"]),
    .executableTarget(
      name: "FileChain", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/FileChain", exclude: ["file_chain.c"]),
    // The same in C, built here so that one test listens to both.
    .executableTarget(
      name: "mixer_host", dependencies: ["AVFoundation"], path: "Examples/MixerHost",
      sources: ["mixer_host.c"], cSettings: headersOfPrograms),
    .executableTarget(
      name: "mixer_eq", dependencies: ["AVFoundation"], path: "Examples/MixerEQ",
      sources: ["mixer_eq.c"], cSettings: headersOfPrograms),
    .executableTarget(
      name: "mixer_3d", dependencies: ["AVFoundation"], path: "Examples/Mixer3D",
      sources: ["mixer_3d.c"], cSettings: headersOfPrograms),
    .executableTarget(
      name: "file_chain", dependencies: ["AVFoundation"], path: "Examples/FileChain",
      sources: ["file_chain.c"], cSettings: headersOfPrograms),
    .executableTarget(
      name: "StreamPlayer", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/StreamPlayer", exclude: ["stream_player.c"]),
    .executableTarget(
      name: "QueuePlayer", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/QueuePlayer", exclude: ["queue_player.c"]),
    .executableTarget(
      name: "QueueRecorder", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/QueueRecorder", exclude: ["queue_recorder.c"]),
    .executableTarget(
      name: "EnginePlayer", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/EnginePlayer"),
    .executableTarget(
      name: "BufferPads", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/BufferPads"),
    .executableTarget(
      name: "TapRecorder", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/TapRecorder"),
    .executableTarget(
      name: "EngineRender", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/EngineRender"),
    .executableTarget(
      name: "SourceSynth", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/SourceSynth"),
    .executableTarget(
      name: "MicrophoneStream", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/MicrophoneStream"),

    .executableTarget(
      name: "FilterUnit", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/FilterUnit"),

    // The program of `make bench`.
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["AVFAudio", "Accelerate", "AudioToolbox", "CoreMIDI", "SignalProcessing"],
      path: "Benchmarks",
      exclude: ["EnginePeers", "RatePeers", "ServerClients", "VectorPeers", "VoicePeers"]),

    // Tests, and their support targets.
    .target(
      name: "AudioTestSupport",
      dependencies: [
        "AudioCodecs", "AudioDevices", "AudioFiles", "AudioSupport", "AudioToolbox", "CRealTime",
      ],
      path: "Tests/AudioTestSupport"),
    .target(name: "CAllocationProbe", path: "Tests/CAllocationProbe"),
    // A render block of a unit in C++.
    .target(
      name: "CBlockKernel", path: "Tests/CBlockKernel",
      cxxSettings: [
        .headerSearchPath("../../Sources/CAudioToolbox"),
        .headerSearchPath("../../Install/include"),
      ]),
    .target(name: "CServerEnvironment", path: "Tests/CServerEnvironment"),
    // A third-party unit with selectable faults, and the program that validates it.
    .target(
      name: "CFaultyUnit", path: "Tests/CFaultyUnit",
      cSettings: [
        .headerSearchPath("../../Sources/CAudioToolbox"),
        .headerSearchPath("../../Install/include"),
      ]),
    .executableTarget(
      name: "FaultyUnits",
      dependencies: ["AVFAudio", "AVFoundation", "AudioToolbox", "CFaultyUnit", "UnitValidation"],
      path: "Tests/FaultyUnits"),
    .testTarget(name: "CheckedNumbersTests", dependencies: ["CheckedNumbers"]),
    .testTarget(name: "MusicSequencesTests", dependencies: ["AudioSupport", "MusicSequences"]),
    .testTarget(
      name: "MusicPlayersTests",
      dependencies: [
        "AudioSupport", "AudioTestSupport", "AudioToolbox", "CAllocationProbe", "CoreMIDI",
        "MusicPlayers", "MusicSequences",
      ]),
    .testTarget(
      name: "MIDIMessagesTests", dependencies: ["AudioSupport", "CAudioToolbox", "MIDIMessages"]),
    .testTarget(
      name: "MIDIPortsTests",
      dependencies: [
        "AudioSupport", "AudioTestSupport", "CAudioToolbox", "CRealTime", "MIDIMessages",
        "MIDIPorts",
      ]),
    .testTarget(
      name: "CoreMIDITests", dependencies: ["AudioToolbox", "AudioTestSupport", "CoreMIDI"]),
    .testTarget(name: "PlainTextTests", dependencies: ["PlainText"]),
    .testTarget(name: "UnitTextsTests", dependencies: ["AudioToolbox", "PlainText", "UnitTexts"]),
    .testTarget(
      name: "AudioSupportTests",
      dependencies: ["AudioSupport", "AudioTestSupport", "CAllocationProbe", "CRealTime"]),
    .testTarget(
      name: "HeaderTests", dependencies: ["CAudioToolbox", "CoreAudioTypes"],
      exclude: [
        "layout.c", "constants.c", "channels.c", "clap.c", "lv2.c", "midi.c", "umbrella.c",
        "check.h",
      ]),
    .testTarget(
      name: "SignalProcessingTests",
      dependencies: ["SignalProcessing", "CKernels", "AudioTestSupport"]),
    .testTarget(name: "AccelerateTests", dependencies: ["Accelerate"]),
    .testTarget(name: "OSTests", dependencies: ["OSLog", "os"]),
    .testTarget(name: "AudioCodecsTests", dependencies: ["AudioCodecs"]),
    .testTarget(
      name: "AudioConvertersTests",
      dependencies: [
        "AudioCodecs", "AudioConversion", "AudioConverters", "AudioSupport", "CAllocationProbe",
        "CAudioToolbox",
      ]),
    .testTarget(
      name: "AVFAudioTests",
      dependencies: [
        "AVFAudio", "AudioDevices", "AudioTestSupport", "AudioToolbox", "CAllocationProbe",
        "CoreMIDI",
      ]),
    .testTarget(name: "AudioValuesTests", dependencies: ["AudioValues", "AVFoundation"]),
    .testTarget(
      name: "AudioFilesTests", dependencies: ["AudioFiles", "AudioSupport", "AudioTestSupport"]),
    .testTarget(
      name: "AudioDevicesTests",
      dependencies: [
        "AudioDevices", "AudioFiles", "AudioSupport", "CRealTime", "AudioTestSupport",
      ]),
    .testTarget(
      name: "AudioHardwareTests",
      dependencies: [
        "AudioToolbox", "AudioHardware", "AudioDevices", "AudioSupport", "AudioTestSupport",
      ]),
    .testTarget(
      name: "FilePlaybackTests",
      dependencies: [
        "AudioToolbox", "AudioFiles", "AudioSupport", "AudioTestSupport", "CAllocationProbe",
        "CRealTime", "FilePlayback",
      ]),
    .testTarget(
      name: "AudioUnitCoreTests",
      dependencies: ["AudioSupport", "AudioUnitCore", "AudioToolbox", "AudioTestSupport"]),
    .testTarget(
      name: "PlugInDiscoveryTests",
      dependencies: [
        "AudioSupport", "AudioToolbox", "AudioUnitCore", "PlugInDiscovery", "PlugInHosting",
        "PlugInScanner",
      ],
      exclude: ["Hostile"]),
    .testTarget(
      name: "PlugInHostingTests",
      dependencies: [
        "AVFAudio", "AudioSupport", "AudioTestSupport", "AudioToolbox", "AudioUnitCore",
        "CAllocationProbe", "CPlugIns", "CRealTime", "PlugInHosting", "PlugInScanner",
      ],
      exclude: ["Libraries"]),
    .testTarget(
      name: "AudioUnitObjectsTests",
      dependencies: [
        "AVFoundation", "AudioToolbox", "AudioUnitObjects", "AudioSupport", "AudioTestSupport",
        "CAllocationProbe", "CBlockKernel", "CRealTime", "SignalProcessing",
      ]),
    .testTarget(
      name: "AudioQueuesTests",
      dependencies: [
        "AudioToolbox", "AudioConversion", "AudioQueues", "AudioDevices", "AudioFiles",
        "AudioSupport", "CRealTime", "AudioTestSupport", "au",
      ]),
    .testTarget(
      name: "OutputUnitsTests",
      dependencies: [
        "AudioToolbox", "OutputUnits", "AudioHardware", "AudioUnitCore", "AudioSupport",
        "AudioDevices", "AudioTestSupport", "SignalProcessing",
      ]),
    .testTarget(name: "CoreAudioTests", dependencies: ["AudioToolbox", "CoreAudio"]),
    .testTarget(
      name: "AudioToolboxTests", dependencies: ["AudioToolbox", "AVFoundation", "AudioTestSupport"]),
    .testTarget(
      name: "GraphDescriptionTests",
      dependencies: ["AudioToolbox", "AudioUnitCore", "GraphDescription"]),
    .testTarget(
      name: "AudioSessionsTests",
      dependencies: [
        "AVFAudio", "AudioDevices", "AudioSessions", "AudioSupport", "AudioToolbox",
        "AudioTestSupport",
      ]),
    .testTarget(
      name: "BuiltInUnitsTests",
      dependencies: [
        "AudioToolbox", "BuiltInUnits", "AudioUnitCore", "AudioCodecs", "AudioSupport",
        "AudioTestSupport", "CAllocationProbe", "MIDIMessages", "SignalProcessing",
      ]),
    .testTarget(
      name: "ProcessingGraphTests",
      dependencies: [
        "AudioToolbox", "ProcessingGraph", "AudioUnitCore", "AudioSupport", "AudioDevices",
        "AudioFiles", "AudioTestSupport", "CAllocationProbe",
      ]),
    .testTarget(
      name: "RealTimeTests",
      dependencies: [
        "AudioToolbox", "BuiltInUnits", "AudioDevices", "AudioUnitCore", "CAllocationProbe",
        "ToneModel",
      ]),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "AudioToolbox", "AudioDevices", "AudioSupport", "CAudioBackends", "CAllocationProbe",
        "CAudioToolbox", "CRealTime", "CServerEnvironment", "AudioTestSupport", "AVFAudio",
        "AudioSessions", "JACKClients", "MIDIMessages", "MIDIPorts", "au",
      ]),
    .testTarget(
      name: "ToneModelTests",
      dependencies: [
        "ToneModel", "AudioToolbox", "AudioDevices", "AudioFiles", "AudioTestSupport", "CoreMIDI",
      ]),
    .testTarget(
      name: "ToneGeneratorTests",
      dependencies: ["CommandSupport", "ToneModel", "ToneTexts", "ToneGenerator"]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "AudioFiles", "AudioTestSupport", "AudioUnitTool", "CommandSupport", "FaultyUnits", "au",
        "ToneGenerator",
        "ToneSwift", "TenLines", "PassThrough", "PassThroughMixer", "RingModulator",
        "CallbackEffects", "InputMeter",
        "OfflineRender", "MixerHost", "MixerEQ", "Mixer3D", "FileChain", "PlayFile", "StreamPlayer",
        "QueuePlayer", "QueueRecorder",
      ]),
  ]
)

// Each folder of Sources has a README, which is not part of its target.
for target in package.targets where target.path == nil && target.type != .test {
  if target.type != .system { target.exclude.append("README.md") }
}

// Tests/PlainTests does not build the tests that it does not run.
let leftOut = Context.environment["LEAVE_OUT_TESTS"]?.split(separator: " ").map(String.init) ?? []
package.targets.removeAll { leftOut.contains($0.name) }
