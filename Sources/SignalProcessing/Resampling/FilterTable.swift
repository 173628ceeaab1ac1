// SPDX-License-Identifier: Apache-2.0

import CKernels
import Synchronization

/// The coefficients of a converter: a row of taps for each phase between two input frames.
///
/// Converters of the same shape share one table. It is freed with the last of them, unless it is among
/// the tables that were used last: many short files of one rate are converted one after the other.
final class FilterTable: @unchecked Sendable {
  let shape: FilterShape
  /// Delay of low frequencies in input frames.
  let delay: Double
  /// Rows for interpolation, `taps` coefficients each: one before and two after those of a frame.
  let coefficients: UnsafePointer<Float>
  /// One row per phase, in groups.
  let groups: UnsafePointer<ResamplingRows>
  /// Start of each row's window in frames after the window of its group, which may be -1.
  let groupOffsets: UnsafePointer<Int32>
  /// Start of each row's window in frames after that of the first row.
  let rowStarts: UnsafePointer<Int32>
  private let inner: UnsafeMutablePointer<Double>
  /// The largest coefficients of rows for interpolation, which are zero in `coefficients`: `inner`
  /// of each row.
  var innerCoefficients: UnsafePointer<Double> { UnsafePointer(inner) }
  private let starts: UnsafeMutablePointer<Int32>
  private let memory = OwnedMemory()

  private static let shared = Mutex(Tables())

  private struct Weak {
    weak var table: FilterTable?
  }

  private struct Tables {
    private var all: [FilterShape: Weak] = [:]
    /// The tables that were used last, in that order; they exist without a converter, too.
    private var latest: [FilterTable] = []
    private static let latestCount = 4

    mutating func find(_ shape: FilterShape) -> FilterTable? {
      guard let table = all[shape]?.table else { return nil }
      keep(table)
      return table
    }

    mutating func insert(_ table: FilterTable) {
      all = all.filter { $0.value.table != nil }
      all[table.shape] = Weak(table: table)
      keep(table)
    }

    private mutating func keep(_ table: FilterTable) {
      guard latest.last !== table else { return }
      latest.removeAll { $0 === table }
      if latest.count == Self.latestCount { latest.removeFirst() }
      latest.append(table)
    }
  }

  /// Finds or makes the table of a shape. [control thread]
  static func table(for shape: FilterShape) -> FilterTable {
    if let table = shared.withLock({ $0.find(shape) }) { return table }
    // Made outside the lock: a large one takes milliseconds.
    let table = FilterTable(shape)
    return shared.withLock { tables in
      if let earlier = tables.find(shape) { return earlier }
      tables.insert(table)
      return table
    }
  }

  private init(_ shape: FilterShape) {
    self.shape = shape
    let response = FilterResponse(shape)
    // With an odd number of taps, the first output is half a frame before the latest frame.
    delay =
      shape.design.phase == .linear
      ? Double(shape.taps / 2) : response.centre - Double(shape.taps % 2) / 2
    let outerFrames = shape.width - shape.inner
    let floats = shape.up == 0 ? (shape.rows + 3) * shape.taps : shape.rows * outerFrames
    let outer = memory.array(floats, of: Float(0))
    coefficients = UnsafePointer(outer)
    let innerCount =
      shape.up == 0
      ? (shape.rows + 3) * shape.inner
      : max(1, shape.rows / shape.group * shape.inner * Self.lanes(shape))
    inner = memory.array(innerCount, of: 0)
    starts = memory.array(shape.rows, of: 0)
    let groupOffsets = memory.array(shape.rows, of: Int32(0))
    self.groupOffsets = UnsafePointer(groupOffsets)
    let rowStarts = memory.array(shape.rows, of: Int32(0))
    self.rowStarts = UnsafePointer(rowStarts)
    let groups = memory.cell(
      Self.layout(shape, outer: outer, inner: UnsafePointer(inner), starts: starts))
    self.groups = UnsafePointer(groups)
    if shape.up == 0 {
      for (index, phase) in (-1..<shape.rows + 2).enumerated() {
        let row = response.row(fraction: Double(phase) / Double(shape.rows))
        for tap in row.indices {
          let innerTap = tap - shape.innerStart
          if innerTap >= 0, innerTap < shape.inner {
            inner[index * shape.inner + innerTap] = row[tap]
          } else {
            outer[index * shape.taps + tap] = Float(row[tap])
          }
        }
      }
    } else {
      for first in stride(from: 0, to: shape.rows, by: shape.group) {
        let rows = (first..<first + shape.group).map {
          response.row(fraction: shape.fraction(of: $0))
        }
        starts[first / shape.group] = Int32(shape.start(ofGroup: first, rows))
        for (row, coefficients) in zip(first..., rows) {
          write(row, coefficients, groups.pointee, outer)
          rowStarts[row] = Int32(shape.start(of: row))
          groupOffsets[row] = rowStarts[row] - starts[row / shape.group]
        }
      }
    }
  }

  deinit { memory.deallocate() }

  /// Describes the memory for the kernel. The vectors are ordered from small coefficients to large
  /// ones: from both ends inwards, or from the oldest frame to the latest.
  private static func layout(
    _ shape: FilterShape, outer: UnsafePointer<Float>, inner: UnsafePointer<Double>,
    starts: UnsafePointer<Int32>
  ) -> ResamplingRows {
    let vectors = (shape.width - shape.inner) / 8
    let isLinear = shape.design.phase == .linear
    let pairs = vectors / 2
    let isShort = isLinear && shape.inner == 0 && (3...4).contains(vectors)
    return ResamplingRows(
      outer: outer, inner: inner, starts: starts, groups: shape.rows / shape.group,
      period: shape.period, group: shape.group, pairs: pairs,
      second: isLinear ? shape.width - 8 : 8, firstStep: isLinear ? 8 : 16,
      secondStep: isLinear ? -8 : 16,
      rest: vectors % 2 == 0 ? -1 : isLinear ? pairs * 8 : (vectors - 1) * 8,
      innerCount: shape.inner, innerStart: isLinear ? pairs * 8 : vectors * 8,
      shortVectors: isShort ? vectors : 0)
  }

  /// Coefficients of an inner frame: one for each row of a group, in whole vectors of four.
  private static func lanes(_ shape: FilterShape) -> Int { shape.group > 4 ? 8 : 4 }

  /// Writes a row in the order in which the kernel reads it.
  private func write(
    _ row: Int, _ own: [Double], _ layout: ResamplingRows, _ outer: UnsafeMutablePointer<Float>
  ) {
    let first = row / shape.group * shape.group
    let rowInGroup = row - first
    let shift = shape.start(of: row) - Int(starts[row / shape.group])
    func coefficient(_ frame: Int) -> Double {
      own.indices.contains(frame - shift) ? own[frame - shift] : 0
    }
    var vector = outer + first * (shape.width - shape.inner) + rowInGroup * 8
    func put(_ frame: Int) {
      for lane in 0..<8 { vector[lane] = Float(coefficient(frame + lane)) }
      vector += shape.group * 8
    }
    for pair in 0..<layout.pairs {
      put(pair * layout.firstStep)
      put(layout.second + pair * layout.secondStep)
    }
    if layout.rest >= 0 { put(layout.rest) }
    let lanes = Self.lanes(shape)
    let column = inner + row / shape.group * shape.inner * lanes + rowInGroup
    for index in 0..<shape.inner {
      column[index * lanes] = coefficient(layout.innerStart + index)
    }
  }
}
