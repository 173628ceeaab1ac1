// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport

/// Reports devices that are added, removed or changed and new defaults, until a signal ends it.
struct DeviceWatch {
  let printsJSON: Bool

  /// One change, printed as a line of JSON.
  private struct Change: Encodable {
    var change: String
    var device: DeviceReport.Entry
  }

  /// Prints the changes since `report` was made.
  func run(from report: DeviceReport) throws {
    let signals = Signals(Signals.ending)
    // Other threads announce changes by a byte in a pipe, so that one `poll` waits for everything.
    var pipeEnds: [Int32] = [-1, -1]
    guard pipe(&pipeEnds) == 0 else {
      throw Failure("no pipe: \(String(cString: strerror(errno)))")
    }
    // The address is the number of the pipe's end.
    let writeEnd = UnsafeMutableRawPointer(bitPattern: UInt(clamping: pipeEnds[1]))
    let announce: AUDevicesListenerProc = { end in
      var byte: UInt8 = 1
      _ = write(Int32(clamping: UInt(bitPattern: end)), &byte, 1)
    }
    try Failure.check(AUDevicesAddListener(announce, writeEnd), "Can't watch devices")
    defer { AUDevicesRemoveListener(announce, writeEnd) }
    var known = report
    // They may have changed since the report was made.
    announce(writeEnd)
    while true {
      var waits = [
        pollfd(fd: signals.descriptor, events: Int16(clamping: POLLIN), revents: 0),
        pollfd(fd: pipeEnds[0], events: Int16(clamping: POLLIN), revents: 0),
      ]
      _ = poll(&waits, 2, -1)
      if let signal = signals.next() { Signals.endProcess(by: signal) }
      guard waits[1].revents != 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 64)
      _ = read(pipeEnds[0], &bytes, 64)
      // Back ends cache their lists for a quarter of a second, and changes come in groups.
      usleep(300_000)
      let now = DeviceReport()
      try compare(from: known, to: now)
      known = now
    }
  }

  private func compare(from old: DeviceReport, to new: DeviceReport) throws {
    for device in old.devices where !new.devices.contains(where: { $0.uid == device.uid }) {
      try announce("left", device)
    }
    for device in new.devices {
      guard let before = old.devices.first(where: { $0.uid == device.uid }) else {
        try announce("arrived", device)
        continue
      }
      if device.isDefaultOutput, !before.isDefaultOutput { try announce("default output", device) }
      if device.isDefaultInput, !before.isDefaultInput { try announce("default input", device) }
      if device.settings != before.settings { try announce("changed", device) }
    }
  }

  private func announce(_ change: String, _ device: DeviceReport.Entry) throws {
    if printsJSON {
      return Console.print(try JSON.line(Change(change: change, device: device)))
    }
    Console.print(
      "\(change): \(device.uid) (\(device.name)), \(device.inputChannels) in, "
        + "\(device.outputChannels) out, \(Numbers.plain(device.sampleRate)) Hz"
        + (device.levelWord.isEmpty ? "" : ", \(device.levelWord)"))
  }
}
