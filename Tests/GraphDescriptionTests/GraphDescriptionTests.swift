// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("Description of a graph")
struct GraphDescriptionTests {
  func build(_ text: String) -> (status: OSStatus, graph: AUGraph?) {
    var graph: AUGraph?
    let status = AUGraphNewFromDescription(text as CFString, &graph)
    return (status, graph)
  }

  func describe(_ graph: AUGraph) throws -> String {
    var text: Unmanaged<CFString>?
    #expect(AUGraphCopyDescription(graph, &text) == noErr)
    return String(describing: try #require(text).takeRetainedValue())
  }

  func explanation() -> String {
    AUDiagnosticsCopyLastExplanation().map { String(describing: $0.takeRetainedValue()) } ?? ""
  }

  private static let chord = """
    {
      "nodes": {
        "left": { "unit": "augn tone", "parameters": { "frequency": 220 } },
        "right": { "unit": "tone", "parameters": { "wave": "Square" } },
        "mixer": {
          "unit": "Multi-channel mixer",
          "inputs": [
            { "parameters": { "volume": 0.5, "pan": -1 } },
            { "format": { "sampleRate": 22050, "channels": 1 } },
            {}
          ]
        },
        "out": { "unit": "auou genr appl" }
      },
      "connections": ["left -> mixer:0", "right:0 -> mixer:2", "mixer -> out"]
    }
    """

  @Test("units, parameters, formats and connections match the description")
  func building() throws {
    let (status, made) = build(Self.chord)
    #expect(status == noErr, "\(explanation())")
    let graph = try #require(made)
    defer { DisposeAUGraph(graph) }
    var count: UInt32 = 0
    AUGraphGetNodeCount(graph, &count)
    #expect(count == 4)
    AUGraphGetNumberOfInteractions(graph, &count)
    #expect(count == 3)
    let mixer = try unit(2, in: graph)
    #expect(parameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0) == 0.5)
    #expect(parameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0) == -1)
    #expect(parameter(try unit(0, in: graph), 0, kAudioUnitScope_Global, 0) == 220)
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: format))
    AudioUnitGetProperty(
      mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &format, &size)
    #expect(format.mSampleRate == 22_050)
    #expect(format.mChannelsPerFrame == 1)
    #expect(AUGraphInitialize(graph) == noErr, "\(explanation())")
  }

  @Test("effects, parameters and presets are found by name")
  func effects() throws {
    let (status, made) = build(
      """
      {
        "nodes": {
          "tone": { "unit": "augn tone" },
          "low": { "unit": "AULowpass", "parameters": { "cutoff frequency": 800 } },
          "bands": {
            "unit": "nbeq",
            "parameters": { "bypass 2": 0, "type 2": "High shelf", "gain 2": -6 }
          },
          "room": { "unit": "aufx rvb2", "preset": "Cathedral" },
          "out": { "unit": "genr" }
        },
        "connections": ["tone -> low", "low -> bands", "bands -> room", "room -> out"]
      }
      """)
    #expect(status == noErr, "\(explanation())")
    let graph = try #require(made)
    defer { DisposeAUGraph(graph) }
    #expect(parameter(try unit(1, in: graph), 0, kAudioUnitScope_Global, 0) == 800)
    let bands = try unit(2, in: graph)
    #expect(parameter(bands, kAUNBandEQParam_FilterType + 1, kAudioUnitScope_Global, 0) == 8)
    #expect(parameter(bands, kAUNBandEQParam_Gain + 1, kAudioUnitScope_Global, 0) == -6)
    var preset = AUPreset()
    var size = UInt32(MemoryLayout<AUPreset>.size)
    AudioUnitGetProperty(
      try unit(3, in: graph), kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset,
      &size)
    #expect(preset.presetNumber == 8)
    preset.presetName?.release()
    #expect(AUGraphInitialize(graph) == noErr, "\(explanation())")
  }

  @Test("saving, reading and saving again gives the same text")
  func roundTrip() throws {
    let first = try #require(build(Self.chord).graph)
    defer { DisposeAUGraph(first) }
    let text = try describe(first)
    #expect(text.contains("\"left -> mixer:0\""))
    #expect(text.contains("\"frequency\": 220"))
    let second = try #require(build(text).graph, "\(explanation())")
    defer { DisposeAUGraph(second) }
    #expect(try describe(second) == text)
  }

  @Test("the options of a graph are set, and saved if they differ from the defaults")
  func options() throws {
    let graph = try #require(
      build(
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\" } }, \"latencyCompensation\": true, "
          + "\"renderThreads\": 3 }"
      ).graph, "\(explanation())")
    defer { DisposeAUGraph(graph) }
    var compensates = false
    var threads: UInt32 = 0
    #expect(AUGraphGetLatencyCompensation(graph, &compensates) == noErr)
    #expect(AUGraphGetRenderThreads(graph, &threads) == noErr)
    #expect(compensates && threads == 3)
    let saved = try describe(graph)
    #expect(saved.contains("\"latencyCompensation\": true"))
    #expect(saved.contains("\"renderThreads\": 3"))
    AUGraphSetLatencyCompensation(graph, false)
    AUGraphSetRenderThreads(graph, 1)
    let plain = try describe(graph)
    #expect(!plain.contains("latency") && !plain.contains("Threads"))
  }

  @Test("a name that is used twice gets a number")
  func names() throws {
    var made: AUGraph?
    NewAUGraph(&made)
    let graph = try #require(made)
    defer { DisposeAUGraph(graph) }
    var tone = AudioComponentDescription(
      componentType: kAudioUnitType_Generator, componentSubType: kAudioUnitSubType_ToneGenerator,
      componentManufacturer: kAudioUnitManufacturer_SwiftAudioToolbox, componentFlags: 0,
      componentFlagsMask: 0)
    for _ in 0..<3 {
      var node = AUNode()
      #expect(AUGraphAddNode(graph, &tone, &node) == noErr)
    }
    // Only an open graph can be described.
    var text: Unmanaged<CFString>?
    #expect(AUGraphCopyDescription(graph, &text) != noErr)
    #expect(text == nil)
    #expect(AUGraphOpen(graph) == noErr)
    let saved = try describe(graph)
    for name in ["\"tone\"", "\"tone2\"", "\"tone3\""] { #expect(saved.contains(name)) }
  }

  @Test(
    "invalid input is refused with its line, its path and what was expected",
    arguments: [
      ("{}", "line 1", "\"nodes\" is missing"),
      ("{ \"nodes\": [] }", "nodes", "expected an object, found an array"),
      ("{ \"nodes\": {},\n \"wires\": [] }", "line 2, wires", "connections"),
      ("{ \"nodes\": {\n \"a\": {} } }", "line 2, nodes.a", "\"unit\" is missing"),
      ("{ \"nodes\": {\n \"a b\": {} } }", "line 2, nodes.a b", "nor contain a space"),
      ("{ \"nodes\": { \"a\": {\n \"unit\": \"zzzz\" } } }", "line 2, nodes.a.unit", "zzzz"),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\",\n \"parameters\": { \"pitch\": 1 } } } }",
        "line 2, nodes.a.parameters.pitch", "\"frequency\""
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\",\n \"parameters\": { \"frequency\": 1e99 } } } }",
        "line 2, nodes.a.parameters.frequency", "from 0.01"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\",\n \"parameters\": { \"frequency\": \"H4\" } } } }",
        "line 2, nodes.a.parameters.frequency: \"frequency\" is \"H4\": expected a number from 0.01 to",
        "such as 440, A4 or 1k"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\",\n \"parameters\": { \"waveform\": \"saww\" } } } }",
        "line 2, nodes.a.parameters.waveform: \"waveform\" is \"saww\"", "or one of"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\",\n \"outputs\": [ { \"format\": "
          + "{ \"sampleRate\": \"44.1m\" } } ] } } }",
        "line 2, nodes.a.outputs[0].format.sampleRate: \"44.1m\": expected a number from 1 to",
        "such as 48000 or 44.1k"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\",\n \"parameters\": { \"phase\": [1, 2] } } } }",
        "line 2, nodes.a.parameters.phase", "2 values of \"phase\", where there is 1"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\",\n \"properties\": { \"colour\": 1 } } } }",
        "line 2, nodes.a.properties.colour", "expected one of enableIO"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"lpas\",\n \"properties\": { \"bypassEffect\": 1 } } } }",
        "line 2, nodes.a.properties.bypassEffect", "expected true or false, found 1"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"3dem\", \"inputs\": [ {\n"
          + "\"properties\": { \"spatialMixerSourceMode\": \"loud\" } } ] } } }",
        "line 2, nodes.a.inputs[0].properties.spatialMixerSourceMode", "\"pointSource\""
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"mxmx\", \"properties\": { \"matrixLevels\": [\n"
          + "[1, 2],\n[1] ] } } } }",
        "line 3, nodes.a.properties.matrixLevels[1]", "1 numbers, where the first row has 2"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\",\n \"preset\": \"Rock\" } } }",
        "line 2, nodes.a.preset", "preset"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\" } },\n \"connections\": [\n \"a -> b\" ] }",
        "line 3, connections[0]", "there is no node \"b\""
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\" } },\n \"connections\": [ \"a, a\" ] }",
        "line 2, connections[0]", "source:output -> destination:input"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\",\n \"outputs\": [ { \"format\": "
          + "{ \"channels\": 0 } } ] } } }",
        "line 2, nodes.a.outputs[0].format.channels", "a whole number from 1"
      ),
      ("{ \"nodes\": {},\n \"renderThreads\": 65 }", "line 2, renderThreads", "64"),
    ])
  func refusal(text: String, location: String, reason: String) {
    let (status, graph) = build(text)
    #expect(status == kAudio_ParamError)
    #expect(graph == nil)
    #expect(explanation().contains(location), "\(explanation())")
    #expect(explanation().contains(reason), "\(explanation())")
  }

  @Test(
    "a connection to an impossible bus is refused with its line",
    arguments: ["a -> out:5", "a:7 -> out", "s:2 -> out", "a -> m:1024", "a:4294967295 -> out"])
  func bus(connection: String) {
    let (status, graph) = build(
      """
      {
        "nodes": {
          "a": { "unit": "tone" }, "s": { "unit": "aufc splt appl" },
          "m": { "unit": "mcmx", "inputs": [{}, {}] }, "out": { "unit": "genr" }
        },
        "connections": [
          "m -> s",
          "\(connection)"
        ]
      }
      """)
    #expect(status != noErr)
    #expect(graph == nil)
    #expect(explanation().contains("line 8, connections[1]: "), "\(explanation())")
  }

  @Test(
    "an error found at initialization is reported with its line and name, too",
    arguments: [
      // A cycle, at the connection that closes it.
      (
        "\"low -> high\",\n\"high -> low\",\n\"left -> out\"", kAUGraphErr_InvalidConnection,
        "line 10, connections[1]: the connections form a cycle: ",
        "node 4 \"low\" (AULowpass) → node 5 \"high\" (AUHipass) → node 4"
      ),
      // Channel counts that do not match, at the unit.
      (
        "\"left -> low\",\n\"low -> out\",\n\"right -> both\",\n\"other -> both:1\"",
        kAudioUnitErr_FormatNotSupported, "line 6, nodes.both: ", "node 6 \"both\" (AUMerger)"
      ),
    ])
  func initialization(connections: String, code: OSStatus, location: String, name: String) throws {
    let graph = try #require(
      build(
        """
        { "nodes": {
          "left": { "unit": "tone" }, "right": { "unit": "tone" },
          "other": { "unit": "tone", "outputs": [{ "format": { "channels": 3 } }] },
          "low": { "unit": "lpas" },
          "high": { "unit": "hpas" },
          "both": { "unit": "merg" },
          "out": { "unit": "genr" }
        }, "connections": [
        \(connections)
        ] }
        """
      ).graph, "\(explanation())")
    defer { DisposeAUGraph(graph) }
    #expect(AUGraphInitialize(graph) == code)
    #expect(explanation().contains(location), "\(explanation())")
    #expect(explanation().contains(name), "\(explanation())")
  }

  @Test("a graph without an output unit is reported with the line of its nodes")
  func noOutput() throws {
    let graph = try #require(build("{\n\"nodes\": { \"a\": { \"unit\": \"tone\" } } }").graph)
    defer { DisposeAUGraph(graph) }
    #expect(AUGraphInitialize(graph) == kAUGraphErr_OutputNodeErr)
    #expect(explanation().contains("line 2, nodes: the graph has no output node"))
  }

  @Test("the levels of a matrix mixer are rows, for the channels of its inputs")
  func matrix() throws {
    func text(_ levels: String) -> String {
      """
      {
        "nodes": {
          "low": { "unit": "lpas", "outputs": [{ "format": { "channels": 1 } }] },
          "tone": { "unit": "tone", "outputs": [{ "format": { "channels": 1 } }] },
          "cross": {
            "unit": "matrix mixer",
            "inputs": [{}, { "parameters": { "enable": [0, 1] } }],
            "properties": { "matrixLevels": \(levels) }
          },
          "out": { "unit": "genr" }
        },
        "connections": ["low -> cross", "tone -> low", "cross -> out"]
      }
      """
    }
    // One channel comes from the tone through the filter; the other input has two more.
    let levels = "[[1, 0.5, 0.9], [0, 2, 0.8], [0, 0, 0.7], [0.6, 0.4, 0.3]]"
    let graph = try #require(build(text(levels)).graph, "\(explanation())")
    defer { DisposeAUGraph(graph) }
    let mixer = try unit(2, in: graph)
    func volume(_ input: UInt32, _ output: UInt32) -> Float {
      parameter(mixer, 0, kAudioUnitScope_Global, input << 16 | output)
    }
    #expect([volume(0, 0), volume(0, 1), volume(1, 1)] == [1, 0.5, 2])
    #expect([volume(2, 0xFFFF), volume(0xFFFF, 1), volume(0xFFFF, 0xFFFF)] == [0.7, 0.4, 0.3])
    let switches = (0..<3).map {
      parameter(mixer, kMatrixMixerParam_Enable, kAudioUnitScope_Input, $0)
    }
    #expect(switches == [1, 0, 1])
    let (status, none) = build(text("[[1, 0], [0, 1]]"))
    #expect(status == kAudio_ParamError && none == nil)
    #expect(
      explanation().contains("line 8, nodes.cross.properties.matrixLevels: 2 rows of 2 numbers"))
    #expect(explanation().contains("where there are 4 of 3"), "\(explanation())")
  }

  func unit(_ index: UInt32, in graph: AUGraph) throws -> AudioUnit {
    var node = AUNode()
    var unit: AudioUnit?
    #expect(AUGraphGetIndNode(graph, index, &node) == noErr)
    #expect(AUGraphNodeInfo(graph, node, nil, &unit) == noErr)
    return try #require(unit)
  }

  func parameter(
    _ unit: AudioUnit, _ id: AudioUnitParameterID, _ scope: AudioUnitScope,
    _ element: AudioUnitElement
  ) -> Float {
    var value = Float.nan
    AudioUnitGetParameter(unit, id, scope, element, &value)
    return value
  }
}
