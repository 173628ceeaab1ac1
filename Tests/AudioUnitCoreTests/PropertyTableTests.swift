// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Testing

@Suite("A table of properties")
struct PropertyTableTests {
  /// An owner with a number, a list, and a name that only some owners have.
  private final class Owner: @unchecked Sendable {
    var number: UInt32 = 7
    var list: [UInt16] = [1, 2, 3]
    var isRunning = false
    let hasExtra: Bool
    init(hasExtra: Bool = true) { self.hasExtra = hasExtra }
  }

  private static let errors = PropertyFamily.Errors(
    unknown: -1, unreadable: -2, readOnly: -3, size: -4, value: -5, scope: -6)

  private static func table(
    lengths: PropertyFamily.Lengths = .exact, truncation: PropertyFamily.Truncation = .none
  ) -> PropertyTable<Owner> {
    PropertyTable(
      PropertyFamily(
        "a test's", errors, lengths: lengths, truncation: truncation, namesProperty: true),
      [
        .value(
          1, in: [0, 1],
          writable: .unless { $0.isRunning ? AudioError(status: -7).because("it runs") : nil },
          get: { owner, _ in owner.number }, set: { owner, _, number in owner.number = number }),
        .array(2, get: { $0.list }, set: { owner, list in owner.list = list }),
        .value(3, get: { _ in 0.5 }),
        .value(4, set: { (owner: Owner, number: UInt32) in owner.number = number }),
        .flag(5, get: { _ in true }).when({ $0.hasExtra }, otherwise: "it has no extra"),
        .exchange(6, Int32.self) { owner, _, number in number += Int32(owner.number) },
        .absent(8, because: "it would have no effect"),
      ])
  }

  private func status(_ body: () throws(AudioError) -> Void) -> OSStatus {
    do throws(AudioError) { try body() } catch { return error.status }
    return noErr
  }

  private func read<Value: BitwiseCopyable>(
    _ table: PropertyTable<Owner>, _ owner: Owner, _ address: PropertyAddress, _ start: Value
  ) throws(AudioError) -> (value: Value, size: UInt32) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    defer { memory.deallocate() }
    memory.storeBytes(of: start, as: Value.self)
    var size = UInt32(MemoryLayout<Value>.size)
    try table.read(address, of: owner, into: memory, size: &size)
    return (memory.load(as: Value.self), size)
  }

  private func write<Value: BitwiseCopyable>(
    _ table: PropertyTable<Owner>, _ owner: Owner, _ address: PropertyAddress, _ value: Value
  ) -> OSStatus {
    withUnsafeBytes(of: value) { bytes in
      status { () throws(AudioError) in try table.write(address, of: owner, bytes) }
    }
  }

  @Test("reads, writes and describes a row")
  func row() throws {
    let (table, owner) = (Self.table(), Owner())
    #expect(write(table, owner, .init(1, 1), UInt32(9)) == noErr)
    let number = try read(table, owner, .init(1), UInt32(0))
    #expect(number.value == 9 && number.size == 4)
    #expect(
      try table.info(.init(1), of: owner) == PropertyInfo(size: 4, isWritable: true))
    #expect(
      try table.info(.init(2), of: owner) == PropertyInfo(size: 6, isWritable: true))
    #expect(
      try table.info(.init(3), of: owner) == PropertyInfo(size: 8, isWritable: false))
    #expect(try read(table, owner, .init(6), Int32(3)).value == 12)
    #expect(table.rows(of: owner).map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(table.row(3)?.typeName == "Float64" && table.row(2)?.typeName == "UInt16[]")
  }

  @Test("fails with the errors of its family, and says why")
  func errors() throws {
    let (table, owner) = (Self.table(), Owner(hasExtra: false))
    #expect(write(table, owner, .init(77), UInt32(0)) == -1)
    #expect(write(table, owner, .init(3), 0.5) == -3)
    #expect(write(table, owner, .init(1), UInt64(0)) == -4)
    #expect(write(table, owner, .init(1, 2), UInt32(0)) == -6)
    #expect(status { () throws(AudioError) in _ = try table.value(.init(4), of: owner) } == -2)
    #expect(
      status { () throws(AudioError) in try table.write(.init(1), of: owner, nil) } == -5)
    owner.isRunning = true
    #expect(write(table, owner, .init(1), UInt32(0)) == -7)
    #expect(try !table.info(.init(1), of: owner).isWritable)
    for (id, reason) in [(5, "it has no extra"), (8, "it would have no effect")] as [(UInt32, _)] {
      do throws(AudioError) {
        _ = try table.value(.init(id), of: owner)
        Issue.record("there is such a property")
      } catch {
        #expect(error.status == -1)
        #expect(error.explanation.hasSuffix("is not one of a test's properties: \(reason)"))
      }
    }
  }

  @Test("cuts a value that is too long for the memory only if its family does")
  func room() throws {
    let owner = Owner()
    let start: (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0)
    #expect(
      status { () throws(AudioError) in _ = try read(Self.table(), owner, .init(2), start) } == -4)
    #expect(try read(Self.table(truncation: .elements), owner, .init(2), start).size == 4)
    #expect(try read(Self.table(truncation: .bytes), owner, .init(2), start).size == 5)
    #expect(
      status { () throws(AudioError) in
        _ = try read(Self.table(truncation: .elements), owner, .init(2), UInt8(0))
      } == -4)
    #expect(try read(Self.table(truncation: .elementsOrNone), owner, .init(2), UInt8(0)).size == 0)
  }

  @Test("accepts longer values only if its family does")
  func lengths() {
    let owner = Owner()
    #expect(write(Self.table(lengths: .longer), owner, .init(1), UInt64(5)) == noErr)
    #expect(write(Self.table(lengths: .longerStructures), owner, .init(1), UInt64(5)) == -4)
    #expect(write(Self.table(lengths: .longer), owner, .init(1), UInt16(5)) == -4)
  }

  @Test("replaces rows of its base, and has the others")
  func base() throws {
    let base = Self.table()
    let table = PropertyTable(base.family, [.value(3, get: { _ in UInt32(1) })], over: base)
    let owner = Owner()
    #expect(try table.info(.init(3), of: owner).size == 4)
    #expect(try table.info(.init(2), of: owner).size == 6)
    #expect(table.rows(of: owner).map(\.id) == [3, 1, 2, 4, 5, 6])
  }
}
