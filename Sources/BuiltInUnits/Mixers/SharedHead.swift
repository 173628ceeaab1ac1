// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing
import Synchronization

/// The measured head at one sample rate, for all units of the process: worked out when it is first
/// needed, on the control side, and never changed again.
final class SharedHead: @unchecked Sendable {
  private typealias Published = Atomic<UnsafeMutablePointer<HeadResponses>?>

  private let sampleRate: Double
  /// Where render threads look.
  private let published: UnsafeMutablePointer<Published>
  private let state = Guarded(State())

  private struct State {
    /// Whether it has been tried, and what came of it.
    var answer: Answer?
  }

  /// What came of working it out: the file, or why the sphere stands in.
  enum Answer {
    case measured(path: String)
    case sphere(reason: String)
  }

  private init(sampleRate: Double) {
    self.sampleRate = sampleRate
    published = .cell(Atomic(nil))
  }

  deinit {
    if let head = published.pointee.load(ordering: .acquiring) {
      head.pointee.deallocate()
      head.endCell()
    }
    published.endCell()
  }

  // MARK: One for each rate

  private struct Weak {
    weak var head: SharedHead?
  }

  private struct All {
    var heads: [Double: Weak] = [:]
    /// Those used last stay, so that a mixer which is made again has them at once.
    var recent: [SharedHead] = []
  }

  private static let all = Guarded(All())
  private static let keptCount = 3

  /// [control thread] That of a sample rate.
  static func at(_ sampleRate: Double) -> SharedHead {
    all.withLock { all in
      if let head = all.heads[sampleRate]?.head { return head }
      let head = SharedHead(sampleRate: sampleRate)
      all.heads = all.heads.filter { $0.value.head != nil }
      all.heads[sampleRate] = Weak(head: head)
      return head
    }
  }

  /// Holds on to it though no unit does.
  private func keep() {
    // What falls out is freed outside the lock.
    _ = Self.all.withLock { all -> SharedHead? in
      all.recent.removeAll { $0 === self }
      all.recent.append(self)
      return all.recent.count > Self.keptCount ? all.recent.removeFirst() : nil
    }
  }

  // MARK: Making

  /// [control thread] Works it out unless that has been tried, which takes a third of a second at
  /// 48 kHz; others who ask meanwhile wait.
  @discardableResult
  func prepare() -> Answer {
    keep()
    return state.withLock { state in
      if let answer = state.answer { return answer }
      let answer = make()
      state.answer = answer
      return answer
    }
  }

  /// [control thread] What came of it, or would as far as can be told without the work.
  var answer: Answer {
    if let answer = state.withLock({ $0.answer }) { return answer }
    do throws(HeadFile.Failure) {
      let path = try HeadFile.path()
      try HeadFile.findLibrary()
      return .measured(path: path)
    } catch {
      return .sphere(reason: error.reason)
    }
  }

  private func make() -> Answer {
    do throws(HeadFile.Failure) {
      let path = try HeadFile.path()
      let head = UnsafeMutablePointer.cell(
        HeadResponses(try HeadFile.read(path), sampleRate: sampleRate))
      published.pointee.store(head, ordering: .releasing)
      Explanations.log("3D mixers use the head of \(path)")
      return .measured(path: path)
    } catch {
      Explanations.log("3D mixers use a spherical head: \(error.reason)")
      return .sphere(reason: error.reason)
    }
  }

  // MARK: Rendering

  /// What a kernel holds of it.
  struct Reader: @unchecked Sendable {
    private let owner: Unmanaged<SharedHead>
    private let published: UnsafeMutablePointer<Published>

    fileprivate init(_ head: SharedHead) {
      owner = Unmanaged.passRetained(head)
      published = head.published
    }

    /// [render thread] The filters, once they are there.
    @_noLocks
    func load() -> HeadResponses? { published.pointee.load(ordering: .acquiring)?.pointee }

    /// [control thread] Lets go; nothing that was loaded may be used any more.
    func release() { owner.release() }
  }

  /// [control thread] A reader, which keeps it alive until it is released.
  func makeReader() -> Reader { Reader(self) }
}
