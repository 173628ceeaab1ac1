// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing
import Synchronization

/// The measured head at one sample rate, shared by all units of the process. It is computed when it
/// is first needed, on a control thread, and never changes afterwards.
final class SharedHead: @unchecked Sendable {
  private typealias Published = Atomic<UnsafeMutablePointer<HeadResponses>?>

  private let sampleRate: Double
  /// The head for render threads; nil until it is computed.
  private let published: UnsafeMutablePointer<Published>
  private let state = Guarded(State())

  private struct State {
    /// The outcome; nil until the head was computed.
    var outcome: Outcome?
  }

  /// The outcome of computing the head: its file, or the reason why the sphere is used instead.
  enum Outcome {
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

  // MARK: One head for each rate

  private struct Weak {
    weak var head: SharedHead?
  }

  private struct All {
    var heads: [Double: Weak] = [:]
    /// The heads used last, retained so that a mixer that is made again need not wait.
    var recent: [SharedHead] = []
  }

  private static let all = Guarded(All())
  private static let recentCapacity = 3

  /// [control thread] The head at a sample rate.
  static func at(_ sampleRate: Double) -> SharedHead {
    all.withLock { all in
      if let head = all.heads[sampleRate]?.head { return head }
      let head = SharedHead(sampleRate: sampleRate)
      all.heads = all.heads.filter { $0.value.head != nil }
      all.heads[sampleRate] = Weak(head: head)
      return head
    }
  }

  /// Retains the head even when no unit uses it.
  private func addToRecent() {
    // The oldest head is freed outside the lock.
    _ = Self.all.withLock { all -> SharedHead? in
      all.recent.removeAll { $0 === self }
      all.recent.append(self)
      return all.recent.count > Self.recentCapacity ? all.recent.removeFirst() : nil
    }
  }

  // MARK: Computing

  /// [control thread] Computes the head the first time, which takes a third of a second at 48 kHz;
  /// other callers wait meanwhile.
  @discardableResult
  func prepare() -> Outcome {
    addToRecent()
    return state.withLock { state in
      if let outcome = state.outcome { return outcome }
      let outcome = make()
      state.outcome = outcome
      return outcome
    }
  }

  /// [control thread] The outcome, or the expected outcome if the head was not computed yet.
  var outcome: Outcome {
    if let outcome = state.withLock({ $0.outcome }) { return outcome }
    do throws(HeadFile.Failure) {
      let path = try HeadFile.path()
      try HeadFile.findLibrary()
      return .measured(path: path)
    } catch {
      return .sphere(reason: error.reason)
    }
  }

  private func make() -> Outcome {
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

  /// A kernel's access to the head.
  struct Reader: @unchecked Sendable {
    private let owner: Unmanaged<SharedHead>
    private let published: UnsafeMutablePointer<Published>

    fileprivate init(_ head: SharedHead) {
      owner = Unmanaged.passRetained(head)
      published = head.published
    }

    /// [render thread] The filters; nil until they are computed.
    @_noLocks
    func load() -> HeadResponses? { published.pointee.load(ordering: .acquiring)?.pointee }

    /// [control thread] Releases the head; nothing that was loaded may be used afterwards.
    func release() { owner.release() }
  }

  /// [control thread] A reader, which retains the head until it is released.
  func makeReader() -> Reader { Reader(self) }
}
