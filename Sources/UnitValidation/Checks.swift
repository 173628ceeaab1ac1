// SPDX-License-Identifier: Apache-2.0

extension Check {
  /// All checks, in order: what later rows stand on comes first.
  ///
  /// Levels: 1 it opens and sounds, 2 formats and properties, 3 parameters, 4 states and presets,
  /// 5 rendering and what it says of its sound (what every host relies on), 6 what good units have
  /// as well, 7 what is hard on the sound, 8 threads, 9 real time, 10 damage, storms and leaks.
  static let all: [Check] = [
    Check("opens", 1, "instances open within a second and end", OpeningChecks.opens),
    Check("initialises", 1, "it initialises, again and again", OpeningChecks.initializes),
    Check("renders", 1, "it renders finite sound by default", OpeningChecks.renders),
    Check("plays", 1, "an output unit plays, and stops when told", DeviceChecks.plays),

    Check("default formats", 2, "each bus begins with 32-bit float", PropertyChecks.defaultFormats),
    Check("required properties", 2, "hosts find what they rely on", PropertyChecks.required),
    Check("maximum frames", 2, "the slice limit is kept", PropertyChecks.maximumFrames),
    Check("bus count", 2, "buses are as many as were set", PropertyChecks.buses),

    Check("parameter information", 3, "names, ranges, defaults", ParameterChecks.information),
    Check("parameter defaults", 3, "it begins with them", ParameterChecks.defaults),
    Check("parameters kept", 3, "what is set is read", ParameterChecks.kept),
    Check("unknown parameter", 3, "it is refused", ParameterChecks.unknown),
    Check("parameter texts", 3, "values have their names", ParameterChecks.strings),
    Check("clumps", 3, "groups of parameters have names", ParameterChecks.clumps),

    Check("state keys", 4, "a state says whose it is", StateChecks.keys),
    Check("state returns", 4, "a state brings all back, anywhere", StateChecks.returns),
    Check("presets", 4, "factory presets can be chosen", StateChecks.presets),

    Check("slice sizes", 5, "any number of frames renders", RenderChecks.sizes),
    Check("rates", 5, "usual and odd rates render", FormatChecks.rates),
    Check("channels", 5, "channels are as they are declared", FormatChecks.channels),
    Check("too many frames", 5, "they are refused", RenderChecks.tooMany),
    Check("uninitialised", 5, "it refuses to render before", OpeningChecks.refusesUninitialized),
    Check("connection", 5, "it takes another unit's sound", ConnectionChecks.connects),
    Check("feeding", 5, "another unit takes its sound", ConnectionChecks.feeds),
    Check("output buses", 5, "all of them sound", RenderChecks.outputs),
    Check("input failure", 5, "a failed input fails the render, once", RenderChecks.inputFails),
    Check("reset", 5, "it forgets the sound and nothing else", SoundChecks.reset),
    Check("bypass", 5, "it passes the input, delayed by the latency", SoundChecks.bypass),
    Check("silence", 5, "silence stays silence", SoundChecks.silence),
    Check("instances", 5, "they know nothing of each other", OpeningChecks.areIndependent),

    Check("recommended properties", 6, "tail, bypass", PropertyChecks.recommended),
    Check("property sizes", 6, "they are as announced", PropertyChecks.sizes),
    Check("property mistakes", 6, "each gets its own code", PropertyChecks.errors),
    Check("property listeners", 6, "they are told", PropertyChecks.listeners),
    Check("nonsense formats", 6, "they are refused", FormatChecks.nonsense),
    Check("fixed formats", 6, "they stay while initialised", FormatChecks.fixed),
    Check("own memory", 6, "it lends its buffers", RenderChecks.ownMemory),
    Check("arguments", 6, "wrong buses and buffers are refused", RenderChecks.arguments),
    Check("notifications", 6, "one before and one after a render", RenderChecks.notifies),
    Check("in place", 6, "AudioUnitProcess is AudioUnitRender", ConnectionChecks.inPlace),
    Check("scheduled parameters", 6, "they arrive", AutomationChecks.scheduled),
    Check("ramped parameters", 6, "they arrive", AutomationChecks.ramps),

    Check("latency", 7, "it is what it says", SoundChecks.latency),
    Check("tail", 7, "sound ends when it says", SoundChecks.tail),
    Check("slices sound equal", 7, "their size does not matter", RenderChecks.slices),
    Check("marked silence", 7, "sound after it is whole", SoundChecks.wakes),
    Check("strange numbers", 7, "NaN and infinity are forgotten", SoundChecks.numbers),
    Check("denormals", 7, "there are none in a tail", SoundChecks.denormals),
    Check("times", 7, "time may jump", RenderChecks.times),
    Check("values beyond ranges", 7, "they do no harm", ParameterChecks.limits),
    Check("extreme parameters", 7, "the sound stays finite", AutomationChecks.extremes),

    Check("control beside render", 8, "values change, it renders", ThreadChecks.control),
    Check("structure beside render", 8, "states change, it renders", ThreadChecks.structure),
    Check("two render threads", 8, "a second render is refused", ThreadChecks.twoThreads),
    Check("opening on threads", 8, "several open at once", ThreadChecks.opening),

    Check("real time", 9, "no heap, lock, wait or file in a render", RealTimeChecks.probe),

    Check("foreign states", 10, "they are refused", StateChecks.foreign),
    Check("damaged states", 10, "they do no damage", StateChecks.damaged),
    Check("leaks", 10, "nothing is left of units that ended", RealTimeChecks.leaks),
  ]
}
