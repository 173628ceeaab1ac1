// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import AudioToolbox

/// What the format that a program names for a connection has to obey.
struct FormatRules {
  let table: ConnectionTable

  /// Checks a format before the connection is made.
  func check(_ format: AVAudioFormat, of connection: NodeConnection, _ call: String) throws {
    let ends = [connection.source, connection.destination]
    try EngineError.checkIsKnown(format, ends.lazy.compactMap(\.unknownFormat).first, call)
    guard format.isStandard else {
      throw refusal(
        call, "connections carry deinterleaved Float32, not \(format)",
        "use AVAudioFormat(standardFormatWithSampleRate:channels:), and convert before or after")
    }
    do throws(AudioError) { _ = try StreamFormat(format.streamDescription.pointee) } catch {
      throw refusal(call, error.reason, "name another format, or pass nil")
    }
    try checkConverts(format, connection, call)
  }

  private func refusal(_ call: String, _ rule: String, _ mend: String) -> NSError {
    EngineError.refusal(call, rule, mend: mend, kAudioUnitErr_FormatNotSupported)
  }

  /// A mixer and the output node convert rates, but not all.
  private func checkConverts(
    _ format: AVAudioFormat, _ connection: NodeConnection, _ call: String
  ) throws {
    let destination = connection.destination
    let wanted: AVAudioFormat? =
      switch destination.formatRule {
      case .converts: table.knownOutputFormat(of: destination, 0)
      case .consumes: destination.ownFormat(0)
      case .passes, .generates: nil
      }
    guard let rate = wanted?.sampleRate, rate > 0,
      !RenderConversion.converts(format.sampleRate, to: rate)
    else { return }
    throw refusal(
      call,
      "\(format.sampleRate.plainText) Hz cannot be converted to the \(rate.plainText) Hz of "
        + "\(type(of: destination)): rates may differ by a factor of 256",
      "name a rate that is closer to it")
  }
}
