// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioToolbox
import Foundation
import Testing

@Suite("Activation of an audio session")
struct SessionActivationTests {
  @Test("succeeds repeatedly, and so does deactivation")
  func repetition() throws {
    try withSession { session in
      for _ in 0..<3 { try session.setActive(true) }
      for _ in 0..<3 { try session.setActive(false, options: .notifyOthersOnDeactivation) }
    }
  }

  @Test("ends with the documented error if units run")
  func busy() throws {
    try withSession(hasStreams: true) { session in
      try session.setActive(true)
      let failure = try #require(failure { try session.setActive(false) })
      #expect(failure.code == 560_030_580)
      #expect(failure.code == AVAudioSession.ErrorCode.isBusy.rawValue)
      #expect(failure.domain == NSOSStatusErrorDomain)
    }
  }

  @Test(
    "fails without a device, and says why",
    arguments: [
      (AVAudioSession.Category.playback, 561_015_905), (.playAndRecord, 561_015_905),
      (.record, 561_145_187), (.soloAmbient, 561_015_905),
    ])
  func down(category: AVAudioSession.Category, code: Int) throws {
    try withSession(device: "file:/nowhere/in.wav,/nowhere/out.wav") { session in
      try session.setCategory(category)
      let failure = try #require(failure { try session.setActive(true) })
      #expect(failure.code == code)
      #expect(failure.text.contains("/nowhere"), "\(failure.text)")
      #expect(session.sampleRate == 0 && session.ioBufferDuration == 0)
      #expect(session.currentRoute.outputs.isEmpty && session.currentRoute.inputs.isEmpty)
    }
  }

  @Test("refuses unknown options")
  func options() throws {
    try withSession { session in
      #expect(failure { try session.setActive(true, options: .init(rawValue: 2)) }?.code == -50)
    }
  }

  @Test("calls the completion handler")
  func asynchronous() async throws {
    let session = try withSession { $0 }
    let answer = await withCheckedContinuation { continuation in
      session.activate(options: []) { isActive, _ in continuation.resume(returning: isActive) }
    }
    #expect(answer)
  }

  @Test("needs no permission to record, with the old and the new calls")
  func permission() async throws {
    let session = try withSession { $0 }
    #expect(session.recordPermission == .granted)
    let older = await withCheckedContinuation { continuation in
      session.requestRecordPermission { continuation.resume(returning: $0) }
    }
    #expect(older)
    #expect(AVAudioApplication.shared.recordPermission == .granted)
    #expect(await AVAudioApplication.requestRecordPermission())
    let newer = await withCheckedContinuation { continuation in
      AVAudioApplication.requestRecordPermission { continuation.resume(returning: $0) }
    }
    #expect(newer)
  }
}
