// SPDX-License-Identifier: Apache-2.0

/// The sink and source of a stream.
struct PulseEndpoints {
  /// A sink or source. Without a name it is the default one, which the server may replace.
  struct Choice {
    var endpoint: PulseDevices.Endpoint
    var isNamed: Bool
  }

  var sink: Choice?
  var source: Choice?
}
