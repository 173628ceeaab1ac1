// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "swift-audiotoolbox",
  products: [
    .library(
      name: "AudioToolbox",
      targets: [
        "AudioToolbox", "AVFAudio", "AVFoundation", "AudioUnit", "CoreAudio", "CoreAudioTypes",
      ]),
    .executable(name: "au", targets: ["au"]),
    .executable(name: "ToneGenerator", targets: ["ToneGenerator"]),
    // For the window, which is a package of its own.
    .library(
      name: "ToneModel", targets: ["CommandSupport", "PlainText", "ToneModel", "ToneTexts"]),
  ],
  targets: [
    // The C surface: headers only.
    .systemLibrary(name: "CAudioToolbox"),
    .target(name: "CRealTime"),
    .target(name: "CKernels"),
    // Opens libraries at run time: nothing is linked to those that a machine may lack.
    .target(name: "CLibraryLoader"),
    // The libraries of sound servers. The headers of two lie in folders that are not searched by
    // themselves; where they are missing, that back end says so.
    .target(
      name: "CAudioBackends", dependencies: ["CLibraryLoader"], exclude: ["system-headers"],
      cSettings: [
        .headerSearchPath("system-headers/pipewire-0.3"),
        .headerSearchPath("system-headers/spa-0.2"),
      ]),
    // The libraries of files: compressed sound, measured heads.
    .target(name: "CAudioCodecs", dependencies: ["CLibraryLoader"]),

    // What people type, and what messages show of it.
    .target(name: "PlainText"),

    // Sound as mathematics.
    .target(name: "SignalProcessing", dependencies: ["CKernels"]),

    // What everything else stands on, and one format made of another.
    .target(name: "AudioSupport", dependencies: ["CAudioToolbox", "CRealTime", "PlainText"]),
    .target(
      name: "AudioConversion", dependencies: ["AudioSupport", "CAudioToolbox", "SignalProcessing"]),

    // Compressed formats, and packets of one format made of packets of another.
    .target(name: "AudioCodecs", dependencies: ["AudioSupport", "CAudioCodecs", "CAudioToolbox"]),
    .target(
      name: "AudioConverters",
      dependencies: [
        "AudioCodecs", "AudioConversion", "AudioSupport", "CAudioToolbox", "SignalProcessing",
      ]),

    // What a unit is; which units there are; what feeds what.
    .target(
      name: "AudioUnitCore",
      dependencies: [
        "AudioConversion", "AudioSupport", "CAudioToolbox", "CRealTime", "PlainText",
        "SignalProcessing",
      ]),
    .target(
      name: "BuiltInUnits",
      dependencies: [
        "AudioCodecs", "AudioConversion", "AudioFiles", "AudioSupport", "AudioUnitCore",
        "CAudioCodecs", "CAudioToolbox", "CRealTime", "FilePlayback", "SignalProcessing",
      ]),
    .target(
      name: "ProcessingGraph",
      dependencies: ["AudioSupport", "AudioUnitCore", "CAudioToolbox", "CRealTime"]),

    .target(
      name: "GraphDescription",
      dependencies: [
        "AudioSupport", "AudioUnitCore", "CAudioToolbox", "PlainText", "ProcessingGraph",
      ]),

    // What is read and written; what plays; devices as objects; units that reach a device.
    .target(
      name: "AudioFiles",
      dependencies: [
        "AudioCodecs", "AudioConversion", "AudioConverters", "AudioSupport", "CAudioToolbox",
        "SignalProcessing",
      ]),
    // What players play and when, and the threads that read files ahead of them.
    .target(
      name: "FilePlayback",
      dependencies: [
        "AudioConversion", "AudioFiles", "AudioSupport", "CAudioToolbox", "CRealTime",
        "SignalProcessing",
      ]),
    .target(
      name: "AudioDevices",
      dependencies: [
        "AudioFiles", "AudioSupport", "CAudioBackends", "CRealTime", "SignalProcessing",
      ]),
    .target(
      name: "AudioHardware",
      dependencies: [
        "AudioConversion", "AudioDevices", "AudioSupport", "CAudioToolbox", "CRealTime",
        "SignalProcessing",
      ]),
    .target(
      name: "OutputUnits",
      dependencies: [
        "AudioConversion", "AudioDevices", "AudioHardware", "AudioSupport", "AudioUnitCore",
        "CAudioToolbox", "CRealTime", "SignalProcessing",
      ]),
    .target(
      name: "AudioQueues",
      dependencies: [
        "AudioConversion", "AudioConverters", "AudioDevices", "AudioFiles", "AudioHardware",
        "AudioSupport", "AudioUnitCore", "CAudioToolbox", "CRealTime", "SignalProcessing",
      ]),

    // The public modules. Foundation begins here.
    .target(name: "CoreFoundationBridge", dependencies: ["AudioSupport", "CAudioToolbox"]),
    .target(
      name: "CoreAudio",
      dependencies: [
        "AudioHardware", "AudioSupport", "CAudioToolbox", "CRealTime", "CoreFoundationBridge",
      ]),
    // The session of the process: categories, preferences, routes.
    .target(
      name: "AudioSessions",
      dependencies: ["AudioDevices", "AudioHardware", "AudioSupport", "CRealTime", "CoreAudio"]),
    .target(
      name: "AudioToolbox",
      dependencies: [
        "AudioConverters", "AudioFiles", "AudioHardware", "AudioQueues", "AudioSessions",
        "AudioSupport", "AudioUnitCore", "BuiltInUnits", "CAudioToolbox", "CRealTime",
        "CoreAudio", "CoreFoundationBridge", "GraphDescription", "OutputUnits", "PlainText",
        "ProcessingGraph",
      ]),
    .target(name: "AVFAudio", dependencies: ["AudioSessions", "AudioSupport", "AudioToolbox"]),
    .target(name: "AVFoundation", dependencies: ["AVFAudio", "AudioToolbox", "CoreAudio"]),
    .target(name: "AudioUnit", dependencies: ["AudioToolbox"]),
    .target(name: "CoreAudioTypes", dependencies: ["CoreAudio"]),

    // The applications.
    .target(name: "CommandSupport", dependencies: ["PlainText"]),
    // What hosts expect of a unit, and what a render must not call.
    .target(name: "CRealTimeProbe"),
    .target(name: "UnitValidation", dependencies: ["AudioToolbox", "CRealTimeProbe"]),
    .target(
      name: "ToneModel",
      dependencies: [
        "AudioToolbox", "AudioDevices", "AudioFiles", "AudioSupport", "AudioUnitCore", "PlainText",
        "SignalProcessing",
      ]),
    // What both views of the tone generator say, in the language of whoever looks.
    .systemLibrary(name: "CTranslation"),
    .target(name: "ToneTexts", dependencies: ["ToneModel", "CTranslation"]),
    .executableTarget(
      name: "au",
      dependencies: [
        "AVFAudio", "AudioToolbox", "AudioDevices", "AudioFiles", "AudioHardware", "AudioSupport",
        "AudioUnitCore", "CommandSupport", "PlainText", "SignalProcessing", "ToneModel",
        "UnitValidation",
      ]),
    .executableTarget(
      name: "ToneGenerator",
      dependencies: ["AudioToolbox", "CommandSupport", "PlainText", "ToneModel", "ToneTexts"]),

    // Examples: public modules only.
    .executableTarget(
      name: "ToneSwift", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/ToneSwift"),
    .executableTarget(
      name: "TenLines", dependencies: ["AVFoundation"], path: "Examples/TenLines",
      exclude: ["tone.c"]),

    .target(
      name: "ExampleSupport", dependencies: ["AVFoundation"], path: "Examples/ExampleSupport"),
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
      name: "MixerHost", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/MixerHost"),
    .executableTarget(
      name: "MixerEQ", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/MixerEQ"),
    .executableTarget(
      name: "QueuePlayer", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/QueuePlayer", exclude: ["queue_player.c"]),
    .executableTarget(
      name: "QueueRecorder", dependencies: ["AVFoundation", "ExampleSupport"],
      path: "Examples/QueueRecorder", exclude: ["queue_recorder.c"]),

    // What `make bench` runs.
    .executableTarget(
      name: "Benchmarks", dependencies: ["AudioToolbox", "SignalProcessing"], path: "Benchmarks",
      exclude: ["RatePeers", "ServerClients", "VoicePeers"]),

    // Tests, and what they stand on.
    .target(
      name: "AudioTestSupport", dependencies: ["AudioDevices", "AudioFiles", "CRealTime"],
      path: "Tests/AudioTestSupport"),
    .target(name: "CAllocationProbe", path: "Tests/CAllocationProbe"),
    .target(name: "CServerEnvironment", path: "Tests/CServerEnvironment"),
    // A unit as somebody else writes it, with faults to choose from, and the program that tries them.
    .target(
      name: "CFaultyUnit", path: "Tests/CFaultyUnit",
      cSettings: [
        .headerSearchPath("../../Sources/CAudioToolbox"),
        .headerSearchPath("../../Install/include"),
      ]),
    .executableTarget(
      name: "FaultyUnits", dependencies: ["AudioToolbox", "CFaultyUnit", "UnitValidation"],
      path: "Tests/FaultyUnits"),
    .testTarget(name: "PlainTextTests", dependencies: ["PlainText"]),
    .testTarget(
      name: "HeaderTests", dependencies: ["CAudioToolbox", "CoreAudioTypes"],
      exclude: ["layout.c", "constants.c", "channels.c", "umbrella.c", "check.h"]),
    .testTarget(
      name: "SignalProcessingTests",
      dependencies: ["SignalProcessing", "CKernels", "AudioTestSupport"]),
    .testTarget(
      name: "AudioConversionTests",
      dependencies: [
        "AudioCodecs", "AudioConversion", "AudioConverters", "AudioSupport", "CAllocationProbe",
        "CAudioToolbox", "SignalProcessing",
      ]),
    .testTarget(
      name: "AudioFilesTests", dependencies: ["AudioFiles", "AudioSupport", "AudioTestSupport"]),
    .testTarget(
      name: "AudioDevicesTests",
      dependencies: [
        "AudioDevices", "AudioFiles", "AudioSupport", "CRealTime", "AudioTestSupport",
      ]),
    .testTarget(
      name: "AudioUnitCoreTests",
      dependencies: ["AudioSupport", "AudioUnitCore", "AudioToolbox", "AudioTestSupport"]),
    .testTarget(
      name: "AudioQueuesTests",
      dependencies: [
        "AudioToolbox", "AudioQueues", "AudioDevices", "AudioFiles", "AudioSupport", "CRealTime",
        "AudioTestSupport",
      ]),
    .testTarget(
      name: "AudioToolboxTests",
      dependencies: [
        "AudioToolbox", "AudioSupport", "AudioUnitCore", "GraphDescription", "AVFoundation",
        "AudioTestSupport",
      ]),
    .testTarget(
      name: "AVFAudioTests",
      dependencies: [
        "AVFAudio", "AudioDevices", "AudioSessions", "AudioSupport", "AudioToolbox",
        "AudioTestSupport",
      ]),
    .testTarget(
      name: "BuiltInUnitsTests",
      dependencies: [
        "AudioToolbox", "BuiltInUnits", "OutputUnits", "AudioHardware", "AudioUnitCore",
        "AudioCodecs", "AudioConversion", "AudioSupport", "AudioDevices", "AudioFiles",
        "AudioTestSupport", "CAllocationProbe", "CRealTime", "SignalProcessing",
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
        "CRealTime", "CServerEnvironment", "AudioTestSupport", "AVFAudio", "AudioSessions", "au",
      ]),
    .testTarget(
      name: "ToneGeneratorTests",
      dependencies: [
        "ToneModel", "ToneGenerator", "AudioToolbox", "AudioDevices", "AudioFiles",
        "AudioTestSupport",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "AudioFiles", "AudioTestSupport", "CommandSupport", "FaultyUnits", "au", "ToneGenerator",
        "ToneSwift", "TenLines", "PassThrough", "PassThroughMixer", "RingModulator",
        "CallbackEffects", "InputMeter",
        "OfflineRender", "MixerHost", "MixerEQ", "PlayFile",
        "QueuePlayer", "QueueRecorder",
      ]),
  ]
)

// Each folder of Sources says in a README what lives there; that is no part of the target.
for target in package.targets where target.path == nil && target.type != .test {
  if target.type != .system { target.exclude.append("README.md") }
}
