// SPDX-License-Identifier: Apache-2.0

// Divides a render into slices at parameter changes, and runs the kernel on each slice.
extension KernelRenderer {
  /// [render thread] Divides the frames at parameter changes and runs the kernel on each slice.
  @_noLocks
  mutating func renderSlices(_ frames: Int) {
    collect()
    guard automation.isIdle else { return renderCut(frames) }
    readValues()
    renderSlice(frames, at: 0, isPart: false)
  }

  @_noLocks @inline(never)
  private mutating func renderCut(_ frames: Int) {
    var frame = 0
    while frame < frames {
      let length = automation.advance(to: frame, end: frames)
      readValues()
      setPiece()
      renderSlice(length, at: frame, isPart: true)
      automation.finish(length)
      frame += length
    }
    automation.finishRender(frames)
    endPieces()
  }

  /// [render thread] Tells the kernel which piece of the ramps the coming slice belongs to.
  @_noLocks
  borrowing func setPiece() {
    work.pointee.values.beginsPiece = automation.beginsPiece
    work.pointee.values.pieceFrames = automation.pieceRemaining
  }

  /// [render thread] Slices without changes and ramps are no pieces.
  @_noLocks
  borrowing func endPieces() {
    work.pointee.values.beginsPiece = true
    work.pointee.values.pieceFrames = 0
  }

  /// Advances parameter changes for frames on which the kernel does not run.
  @_noLocks @inline(never)
  mutating func skipSlices(_ frames: Int) {
    collect()
    var frame = advancedFrames
    advancedFrames = 0
    while frame < frames, !automation.isIdle {
      let length = automation.advance(to: frame, end: frames)
      automation.finish(length)
      frame += length
    }
    automation.finishRender(frames)
  }

  /// [render thread] Runs the kernel on some frames of the render.
  @_noLocks
  mutating func renderSlice(_ frames: Int, at frame: Int, isPart: Bool) {
    if frames != cutFrames || frame != cutOffset || isPart != isCutPart {
      inputs.cut(frames, offset: frame, isPart: isPart)
      outputs.cut(frames, offset: frame, isPart: isPart)
      (cutFrames, cutOffset, isCutPart) = (frames, frame, isPart)
    }
    runKernel(kernel, work)
  }

  /// Collects parameter changes that were queued since the last render.
  @_noLocks
  mutating func collect() {
    // The last time there may not have been room for all of them.
    if pending.consume(.events) || !automation.isIdle { automation.collect() }
  }

  /// Reads the parameter values if any was set since the last call.
  @_noLocks
  borrowing func readValues() {
    if pending.consume(.values) { updateSliceValues() }
  }

  @_noLocks @inline(never)
  private borrowing func updateSliceValues() {
    global.updateSliceValues()
    inputs.updateSliceValues()
    outputs.updateSliceValues()
    switches.readSwitches(inputs)
    work.pointee.values.edition &+= 1
  }
}
