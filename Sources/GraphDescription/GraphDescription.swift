// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore

/// The description of a processing graph: units by name, their settings, and their connections.
package struct GraphDescription {
  /// A parameter's value: a number, or a text.
  enum Setting: Equatable {
    case number(Double)
    /// The name of one of its values, or a number as people type it: "A4", "-6dB".
    case name(String)
    /// One for each channel of a bus, where a mixer has the parameter for each channel.
    case each([Setting])
  }

  /// The value of a property, as 32-bit words, row by row.
  struct Property {
    let kind: DescribedProperty
    let rows: [[UInt32]]
  }

  /// A preset: its number, or its name.
  enum Preset: Equatable {
    case number(Int32)
    case name(String)
  }

  /// The described parts of a stream format; nil: the part remains as it is.
  struct Format {
    var sampleRate: Double?
    var channels: UInt32?
    var samples: Samples?
    var isInterleaved: Bool?

    /// The type of a sample.
    enum Samples: String, CaseIterable { case float32, int16, int32, fixed824 = "8.24" }
  }

  /// One bus of a unit.
  struct Bus {
    var format: Placed<Format>?
    var parameters: [(name: String, setting: Placed<Setting>)] = []
    /// In the order in which they are set.
    var properties: [Placed<Property>] = []
  }

  /// A unit with its name and its settings.
  struct Node {
    var name: String
    /// Its unit, by codes or by name.
    var unit: Placed<String>
    var maximumFramesPerSlice: Placed<UInt32>?
    var preset: Placed<Preset>?
    /// Parts of files that it plays.
    var files: [Placed<PlayedFile>] = []
    /// In the order in which they are set.
    var properties: [Placed<Property>] = []
    var parameters: [(name: String, setting: Placed<Setting>)] = []
    /// The buses; nil: their number remains as it is.
    var inputs: Placed<[Bus]>?
    var outputs: Placed<[Bus]>?
    var place = TextPlace.nowhere
  }

  /// "source:output -> destination:input".
  struct Connection: Equatable {
    var source: String
    var output: UInt32
    var destination: String
    var input: UInt32
  }

  /// In the order in which they are made.
  var nodes: [Node] = []
  var connections: [Placed<Connection>] = []
  /// The options of the graph; nil: the default.
  var compensatesLatency: Bool?
  var renderThreads: Placed<UInt32>?
  /// The place of the nodes in the text.
  var place = TextPlace.nowhere
}
