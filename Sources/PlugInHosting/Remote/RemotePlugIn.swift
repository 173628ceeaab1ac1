// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import Glibc

/// A plug-in whose library is loaded in a process of its own.
final class RemotePlugIn: LoadedPlugIn, @unchecked Sendable {
  let plugIn: PlugInDescription
  let process: RemoteProcess

  /// [control thread] Starts the process and loads the library there.
  /// - Throws: What loading it throws; `instanceInvalidated` if the process ends or hangs.
  init(_ plugIn: PlugInDescription, program: String, timeLimit: Double) throws(AudioError) {
    self.plugIn = plugIn
    process = try RemoteProcess(program, timeLimit: timeLimit)
    try process.call(.load) { message in
      var plugIn = plugIn
      message.pass(&plugIn)
    } answer: { _ in
    }
  }

  var ownProcess: (any PlugInProcess)? { process }

  func makeInstance(_ setup: InstanceSetup) throws(AudioError) -> PlugInInstance {
    try RemoteInstance(self, setup)
  }

  func state(ofPreset identifier: String) -> [UInt8]? {
    ask(.presetState, { $0.write(identifier) }) { $0.readBytesOrNone() }
  }

  func canRead(_ state: [UInt8]) -> Bool {
    ask(.canRead, { $0.write(state) }) { $0.readFlag() } ?? false
  }

  func values(of state: [UInt8]) -> [Float]? {
    let values = ask(.valuesOfState, { $0.write(state) }) { $0.readFloatsOrNone() }
    return values?.count == plugIn.parameters.count ? values : nil
  }

  func text(of parameter: Int, _ value: Float) -> String? {
    ask(.text) {
      $0.write(parameter)
      $0.write(value)
    } _: { message in
      let isThere = message.readFlag()
      let text = message.readText()
      return isThere ? text : nil
    }
  }

  func value(of parameter: Int, _ text: String) -> Float? {
    ask(.value) {
      $0.write(parameter)
      $0.write(text)
    } _: { message in
      let isThere = message.readFlag()
      let value = message.readFloat()
      return isThere && value.isFinite ? value : nil
    }
  }

  private func ask<Answer>(
    _ request: RemoteRequest, _ body: (inout RemoteMessage) -> Void,
    _ answer: (inout RemoteMessage) -> Answer?
  ) -> Answer? {
    do throws(AudioError) { return try process.call(request, body, answer: answer) } catch {
      return nil
    }
  }
}

extension PlugInFormat {
  /// [control thread] What a plug-in in a library or bundle is, read in a process of its own; nil: the library
  /// does not contain it.
  package func describeApart(
    _ identifier: String, libraryAt path: String, _ apart: OwnProcess
  ) throws(AudioError) -> PlugInDescription? {
    let process = try RemoteProcess(apart.program(), timeLimit: apart.timeLimit)
    return try process.call(.describe) { message in
      var format = self
      message.pass(&format)
      message.write(identifier)
      message.write(path)
    } answer: { message -> PlugInDescription? in
      let empty = PlugInDescription(self, "", path: "", name: "", maker: "")
      return message.read(nil) { $0.pass(&$1, empty: empty) { $0.pass(&$1) } }
    }
  }
}

/// How plug-ins run in processes of their own.
package struct OwnProcess: Sendable {
  /// The longest duration of a call, in seconds.
  package var timeLimit: Double

  /// The way that the library uses.
  package init(timeLimit: Double = 10) { self.timeLimit = timeLimit }

  /// The program of the process.
  func program() throws(AudioError) -> String { try ScannerProgram.path() }
}
