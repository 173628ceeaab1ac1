// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import CommandSupport

/// Prints the notifications of the session, until a signal ends it.
struct SessionWatch {
  let printsJSON: Bool

  /// One notification; a line of JSON.
  private struct Line: Encodable {
    var notification: String
    var detail: String
    var route: String
  }

  /// Waits for signals; notifications arrive on a thread of the session.
  func run() throws {
    let signals = Signals(Signals.ending)
    let session = AVAudioSession.sharedInstance()
    let printsJSON = printsJSON
    let names: [(Notification.Name, String)] = [
      (AVAudioSession.interruptionNotification, "interruption"),
      (AVAudioSession.routeChangeNotification, "route change"),
      (AVAudioSession.mediaServicesWereLostNotification, "media services lost"),
      (AVAudioSession.mediaServicesWereResetNotification, "media services reset"),
      (AVAudioSession.silenceSecondaryAudioHintNotification, "silence hint"),
      (AVAudioSession.availableInputsChangeNotification, "available inputs"),
      (AVAudioSession.outputVolumeDidChangeNotification, "volume"),
    ]
    try session.setActive(true)
    let tokens = names.map { name, words in
      NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { note in
        let line = Line(
          notification: words, detail: Self.detail(note), route: Self.text(session.currentRoute))
        Console.print(
          printsJSON
            ? (try? JSON.line(line)) ?? ""
            : [words, line.detail, "now \(line.route)"].filter { !$0.isEmpty }
              .joined(separator: ": "))
      }
    }
    defer { withExtendedLifetime(tokens) {} }
    while true {
      var waits = [pollfd(fd: signals.descriptor, events: Int16(clamping: POLLIN), revents: 0)]
      _ = poll(&waits, 1, -1)
      if let signal = signals.next() { Signals.endProcess(by: signal) }
    }
  }

  /// The details of a notification.
  private static func detail(_ note: Notification) -> String {
    func number(_ key: String) -> UInt? { note.userInfo?[key] as? UInt }
    if let reason = number(AVAudioSessionRouteChangeReasonKey)
      .flatMap(AVAudioSession.RouteChangeReason.init)
    {
      let previous =
        note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
      return "\(reason), before \(previous.map(text) ?? "unknown")"
    }
    if let type = number(AVAudioSessionInterruptionTypeKey)
      .flatMap(AVAudioSession.InterruptionType.init)
    {
      return "\(type)"
    }
    return number(AVAudioSessionSilenceSecondaryAudioHintTypeKey)
      .flatMap(AVAudioSession.SilenceSecondaryAudioHintType.init).map { "\($0)" } ?? ""
  }

  private static func text(_ route: AVAudioSessionRouteDescription) -> String {
    let ports = (route.outputs + route.inputs).map { "\($0.portName) (\($0.portType.rawValue))" }
    return ports.isEmpty ? "nothing" : ports.joined(separator: " + ")
  }
}
