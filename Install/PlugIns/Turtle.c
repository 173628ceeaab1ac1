// SPDX-License-Identifier: Apache-2.0
// Writes the data of the LV2 bundle, from what the units say: `Turtle FOLDER`. The folder gets manifest.ttl, a
// file for each unit, and one for its presets.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "LV2Ports.h"
#include "Unit.h"

static const char *folder;

static FILE *open_file(const char *name, const char *suffix) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  fputs(
      "@prefix atom: <http://lv2plug.in/ns/ext/atom#> .\n"
      "@prefix bufsz: <http://lv2plug.in/ns/ext/buf-size#> .\n"
      "@prefix doap: <http://usefulinc.com/ns/doap#> .\n"
      "@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n"
      "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
      "@prefix midi: <http://lv2plug.in/ns/ext/midi#> .\n"
      "@prefix opts: <http://lv2plug.in/ns/ext/options#> .\n"
      "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
      "@prefix pg: <http://lv2plug.in/ns/ext/port-groups#> .\n"
      "@prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .\n"
      "@prefix pset: <http://lv2plug.in/ns/ext/presets#> .\n"
      "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
      "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
      "@prefix state: <http://lv2plug.in/ns/ext/state#> .\n"
      "@prefix units: <http://lv2plug.in/ns/extensions/units#> .\n"
      "@prefix urid: <http://lv2plug.in/ns/ext/urid#> .\n"
      "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n",
      file);
  return file;
}

static void close_file(FILE *file) {
  if (fclose(file)) {
    perror(folder);
    exit(1);
  }
}

// A text in quotes.
static void print_text(FILE *file, const char *text) {
  putc('"', file);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putc('\\', file);
    if ((unsigned char)*text >= ' ') putc(*text, file);
  }
  putc('"', file);
}

// A number with the fewest digits that are read as the same value.
static void print_number(FILE *file, float value) {
  char digits[32];
  for (int precision = 6; precision <= 9; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
    if (strtof(digits, NULL) == value) break;
  }
  fputs(digits, file);
}

static void print_uri(FILE *file, const Export *export, const Variant *variant) {
  fprintf(file, "<" URI_PREFIX "%s%s>", export->codes, variant->suffix);
}

/// The class of LV2 for the kinds of effects that its list has.
static const char *class_of(const Export *export) {
  static const struct {
    OSType subtype;
    const char *name;
  } classes[] = {
      {kAudioUnitSubType_DynamicsProcessor, "CompressorPlugin"},
      {kAudioUnitSubType_MultiBandCompressor, "CompressorPlugin"},
      {kAudioUnitSubType_PeakLimiter, "LimiterPlugin"},
      {kAudioUnitSubType_Distortion, "DistortionPlugin"},
      {kAudioUnitSubType_LowPassFilter, "LowpassPlugin"},
      {kAudioUnitSubType_HighPassFilter, "HighpassPlugin"},
      {kAudioUnitSubType_BandPassFilter, "BandpassPlugin"},
      {kAudioUnitSubType_HighShelfFilter, "EQPlugin"},
      {kAudioUnitSubType_LowShelfFilter, "EQPlugin"},
      {kAudioUnitSubType_ParametricEQ, "ParaEQPlugin"},
      {kAudioUnitSubType_NBandEQ, "MultiEQPlugin"},
      {kAudioUnitSubType_GraphicEQ, "MultiEQPlugin"},
      {kAudioUnitSubType_AUiPodEQ, "EQPlugin"},
      {kAudioUnitSubType_Delay, "DelayPlugin"},
      {kAudioUnitSubType_SampleDelay, "DelayPlugin"},
      {kAudioUnitSubType_Reverb2, "ReverbPlugin"},
      {kAudioUnitSubType_MatrixReverb, "ReverbPlugin"}};
  if (export->description.componentType == kAudioUnitType_MusicDevice) return "InstrumentPlugin";
  if (export->description.componentType == kAudioUnitType_Generator) return "GeneratorPlugin";
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (classes[i].subtype == export->description.componentSubType) return classes[i].name;
  return "Plugin";
}

static const char *unit_of(const Parameter *parameter) {
  switch (parameter->unit) {
    case kAudioUnitParameterUnit_Percent:
    case kAudioUnitParameterUnit_EqualPowerCrossfade: return "pc";
    case kAudioUnitParameterUnit_Seconds: return "s";
    case kAudioUnitParameterUnit_Milliseconds: return "ms";
    case kAudioUnitParameterUnit_SampleFrames: return "frame";
    case kAudioUnitParameterUnit_Degrees:
    case kAudioUnitParameterUnit_Phase: return "degree";
    case kAudioUnitParameterUnit_Hertz: return "hz";
    case kAudioUnitParameterUnit_Cents:
    case kAudioUnitParameterUnit_AbsoluteCents: return "cent";
    case kAudioUnitParameterUnit_RelativeSemiTones: return "semitone12TET";
    case kAudioUnitParameterUnit_MIDINoteNumber: return "midiNote";
    case kAudioUnitParameterUnit_Decibels: return "db";
    case kAudioUnitParameterUnit_LinearGain:
    case kAudioUnitParameterUnit_Ratio:
    case kAudioUnitParameterUnit_Rate: return "coef";
    case kAudioUnitParameterUnit_Meters: return "m";
    case kAudioUnitParameterUnit_Octaves: return "oct";
    case kAudioUnitParameterUnit_BPM: return "bpm";
    case kAudioUnitParameterUnit_Beats: return "beat";
    default: return NULL;
  }
}

static void print_choices(FILE *file, const Unit *unit, size_t index, const Parameter *parameter) {
  if (!(parameter->flags & kAudioUnitParameterFlag_ValuesHaveStrings)) return;
  fputs(";\n    lv2:portProperty lv2:enumeration ;\n    lv2:scalePoint ", file);
  for (float value = parameter->minimum; value <= parameter->maximum; value++) {
    char text[128];
    unit_value_text(unit, index, value, text, sizeof text);
    fputs(value > parameter->minimum ? " ,\n      [ rdfs:label " : "[ rdfs:label ", file);
    print_text(file, text);
    fputs(" ; rdf:value ", file);
    print_number(file, value);
    fputs(" ]", file);
  }
}

static void print_parameter(
    FILE *file, const Unit *unit, size_t index, const Parameter *parameter, UInt32 port) {
  const bool meter = is_meter(parameter);
  fprintf(
      file, " , [\n    a lv2:%s , lv2:ControlPort ;\n    lv2:index %u ;\n    lv2:symbol \"%s\" ;\n    lv2:name ",
      meter ? "OutputPort" : "InputPort", port, parameter->symbol);
  print_text(file, parameter->name);
  if (!meter) {
    fputs(" ;\n    lv2:default ", file);
    print_number(file, fminf(fmaxf(parameter->initial, parameter->minimum), parameter->maximum));
  }
  fputs(" ;\n    lv2:minimum ", file);
  print_number(file, parameter->minimum);
  fputs(" ;\n    lv2:maximum ", file);
  print_number(file, parameter->maximum);
  if (parameter->unit == kAudioUnitParameterUnit_Boolean) fputs(" ;\n    lv2:portProperty lv2:toggled", file);
  if (parameter->unit == kAudioUnitParameterUnit_Indexed) {
    fputs(" ;\n    lv2:portProperty lv2:integer", file);
    print_choices(file, unit, index, parameter);
  }
  if (AudioUnitDisplayTypeIsLogarithmic(parameter->flags) && parameter->minimum > 0)
    fputs(" ;\n    lv2:portProperty pprops:logarithmic", file);
  if (parameter->flags & kAudioUnitParameterFlag_NonRealTime)
    fputs(" ;\n    lv2:portProperty pprops:expensive", file);
  if (unit_of(parameter)) fprintf(file, " ;\n    units:unit units:%s", unit_of(parameter));
  if (*parameter->measure) {
    fputs(" ;\n    units:unit [\n      a units:Unit ;\n      rdfs:label ", file);
    print_text(file, parameter->measure);
    fputs(" ;\n      units:symbol ", file);
    print_text(file, parameter->measure);
    char render[80] = "%f ";
    // A percent sign is written twice.
    size_t used = strlen(render);
    for (const char *byte = parameter->measure; *byte && used + 3 < sizeof render; byte++) {
      if (*byte == '%') render[used++] = '%';
      render[used++] = *byte;
    }
    render[used] = 0;
    fputs(" ;\n      units:render ", file);
    print_text(file, render);
    fputs("\n    ]", file);
  }
  // No groups of parameters: GStreamer takes each port in a group for a channel.
  fputs("\n  ]", file);
}

static void print_sound_ports(FILE *file, const Export *export, const Variant *variant, bool is_input) {
  const UInt32 count = is_input ? variant->inputs : variant->outputs;
  const char *const direction = is_input ? "in" : "out";
  static const char *const sides[] = {"left", "right"};
  for (UInt32 i = 0; i < count; i++) {
    const char *side = count == 2 ? sides[i] : "center";
    fprintf(
        file,
        "%s[\n    a lv2:%s , lv2:AudioPort ;\n    lv2:index %u ;\n    lv2:symbol \"%s%s%s\" ;\n"
        "    lv2:name \"%s%s%s\" ;\n    lv2:designation pg:%s ;\n    pg:group <" URI_PREFIX "%s%s#%s>\n  ]",
        i > 0 || (!is_input && variant->inputs) ? " , " : " ;\n  lv2:port ", is_input ? "InputPort" : "OutputPort",
        is_input ? i : variant->inputs + i, direction, count == 2 ? "_" : "", count == 2 ? side : "",
        is_input ? "Input" : "Output", count == 2 ? " " : "", count == 2 ? side : "", side, export->codes,
        variant->suffix, direction);
  }
}

static void print_sound_group(FILE *file, const Export *export, const Variant *variant, bool is_input) {
  const UInt32 count = is_input ? variant->inputs : variant->outputs;
  if (count == 0) return;
  fprintf(
      file, "\n<" URI_PREFIX "%s%s#%s>\n  a pg:%s , pg:%s ;\n  lv2:symbol \"%s\" ;\n  lv2:name \"%s\" .\n",
      export->codes, variant->suffix, is_input ? "in" : "out", count == 2 ? "StereoGroup" : "MonoGroup",
      is_input ? "InputGroup" : "OutputGroup", is_input ? "in" : "out", is_input ? "Input" : "Output");
}

static void print_plug_in(FILE *file, Unit *unit) {
  const Export *export = unit_export(unit);
  const Variant *variant = unit_variant(unit);
  const Ports ports = ports_of(export, variant);
  size_t count;
  const Parameter *parameters = unit_parameters(unit, &count);
  putc('\n', file);
  print_uri(file, export, variant);
  fprintf(file, "\n  a lv2:Plugin , lv2:%s ;\n  doap:name ", class_of(export));
  char name[128];
  snprintf(name, sizeof name, "%s%s", export->name, variant->name);
  print_text(file, name);
  // Even numbers are releases.
  const UInt32 major = export->version >> 16, minor = export->version >> 8 & 255, micro = export->version & 255;
  fprintf(
      file,
      " ;\n  doap:license <http://www.apache.org/licenses/LICENSE-2.0> ;\n"
      "  lv2:project <" PROJECT_URI "> ;\n"
      "  lv2:minorVersion %u ;\n  lv2:microVersion %u ;\n"
      "  lv2:optionalFeature lv2:hardRTCapable , bufsz:boundedBlockLength , opts:options , urid:map ;\n"
      "  opts:supportedOption bufsz:maxBlockLength",
      20 * major + 2 * minor, 2 * micro);
  if (has_state(export, count)) fputs(" ;\n  lv2:extensionData state:interface", file);
  if (variant->inputs) fprintf(file, " ;\n  pg:mainInput <" URI_PREFIX "%s%s#in>", export->codes, variant->suffix);
  fprintf(file, " ;\n  pg:mainOutput <" URI_PREFIX "%s%s#out>", export->codes, variant->suffix);
  print_sound_ports(file, export, variant, true);
  print_sound_ports(file, export, variant, false);
  if (ports.midi != no_port)
    fprintf(
        file,
        " , [\n    a lv2:InputPort , atom:AtomPort ;\n    lv2:index %u ;\n    lv2:symbol \"midi\" ;\n"
        "    lv2:name \"MIDI\" ;\n    lv2:designation lv2:control ;\n    atom:bufferType atom:Sequence ;\n"
        "    atom:supports midi:MidiEvent\n  ]",
        ports.midi);
  // Not toggled: GStreamer starts with all switches off.
  if (ports.enabled != no_port)
    fprintf(
        file,
        " , [\n    a lv2:InputPort , lv2:ControlPort ;\n    lv2:index %u ;\n    lv2:symbol \"enabled\" ;\n"
        "    lv2:name \"Enabled\" ;\n    lv2:designation lv2:enabled ;\n    lv2:default 1 ;\n"
        "    lv2:minimum 0 ;\n    lv2:maximum 1 ;\n    lv2:portProperty lv2:integer\n  ]",
        ports.enabled);
  fprintf(
      file,
      " , [\n    a lv2:OutputPort , lv2:ControlPort ;\n    lv2:index %u ;\n    lv2:symbol \"latency\" ;\n"
      "    lv2:name \"Latency\" ;\n    lv2:designation lv2:latency ;\n    lv2:minimum 0 ;\n"
      "    lv2:maximum 192000 ;\n    units:unit units:frame ;\n"
      "    lv2:portProperty lv2:reportsLatency , lv2:integer\n  ]",
      ports.latency);
  for (size_t i = 0; i < count; i++)
    print_parameter(file, unit, i, &parameters[i], ports.parameters + (UInt32)i);
  fputs(" .\n", file);
  print_sound_group(file, export, variant, true);
  print_sound_group(file, export, variant, false);
}

static void print_base64(FILE *file, CFDataRef data) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const UInt8 *bytes = CFDataGetBytePtr(data);
  const CFIndex count = CFDataGetLength(data);
  for (CFIndex i = 0; i < count; i += 3) {
    const UInt32 group = (UInt32)bytes[i] << 16 | (i + 1 < count ? (UInt32)bytes[i + 1] << 8 : 0)
        | (i + 2 < count ? bytes[i + 2] : 0);
    for (int digit = 0; digit < 4; digit++)
      putc(i + digit > count ? '=' : digits[group >> (18 - 6 * digit) & 63], file);
  }
}

// A preset of the unit: the values of its ports, or its state if it has no parameters.
static void print_preset(FILE *file, FILE *manifest, Unit *unit, const AUPreset *preset) {
  size_t count;
  const Parameter *parameters = unit_parameters(unit, &count);
  const Export *export = unit_export(unit);
  const Variant *variant = unit_variant(unit);
  if (AudioUnitSetProperty(
          unit_handle(unit), kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, preset,
          sizeof *preset))
    return;
  char name[256];
  copy_text(preset->presetName, name, sizeof name);
  fprintf(
      manifest, "\n<" URI_PREFIX "%s%s:preset:%d>\n  a pset:Preset ;\n  lv2:appliesTo ", export->codes,
      variant->suffix, preset->presetNumber);
  print_uri(manifest, export, variant);
  fprintf(manifest, " ;\n  rdfs:seeAlso <%s-presets.ttl> .\n", export->name);
  fprintf(
      file, "\n<" URI_PREFIX "%s%s:preset:%d>\n  a pset:Preset ;\n  lv2:appliesTo ", export->codes,
      variant->suffix, preset->presetNumber);
  print_uri(file, export, variant);
  fputs(" ;\n  rdfs:label ", file);
  print_text(file, name);
  bool is_first = true;
  for (size_t i = 0; i < count; i++) {
    if (is_meter(&parameters[i])) continue;
    fprintf(file, "%s[ lv2:symbol \"%s\" ; pset:value ", is_first ? " ;\n  lv2:port " : " ,\n    ", parameters[i].symbol);
    print_number(file, unit_value(unit, i));
    fputs(" ]", file);
    is_first = false;
  }
  CFDataRef data = has_state(export, count) ? unit_copy_state(unit) : NULL;
  if (data) {
    fputs(" ;\n  state:state [ <" CLASS_INFO_URI "> \"", file);
    print_base64(file, data);
    fputs("\"^^xsd:base64Binary ]", file);
    CFRelease(data);
  }
  fputs(" .\n", file);
}

// Opens the file of the presets if there are some.
static void print_presets(FILE **file, FILE *manifest, Unit *unit) {
  CFArrayRef presets = NULL;
  UInt32 size = sizeof presets;
  if (AudioUnitGetProperty(
          unit_handle(unit), kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0, &presets, &size)
      || !presets)
    return;
  for (CFIndex i = 0; i < CFArrayGetCount(presets); i++) {
    if (!*file) *file = open_file(unit_export(unit)->name, "-presets.ttl");
    print_preset(*file, manifest, unit, CFArrayGetValueAtIndex(presets, i));
  }
  CFRelease(presets);
}

static void print_unit(FILE *manifest, const Export *export) {
  FILE *file = open_file(export->name, ".ttl");
  FILE *presets = NULL;
  fputs(
      "\n<" PROJECT_URI ">\n  a doap:Project ;\n  doap:name \"swift-audiotoolbox\" ;\n"
      "  doap:maintainer [ a foaf:Agent ; foaf:name \"swift-audiotoolbox\" ] .\n",
      file);
  for (int i = 0; i < variant_count; i++) {
    const Variant *variant = &variants(export)[i];
    Unit *unit = unit_new(export, variant);
    if (!unit) continue;
    print_plug_in(file, unit);
    putc('\n', manifest);
    print_uri(manifest, export, variant);
    fprintf(
        manifest, "\n  a lv2:Plugin ;\n  lv2:binary <plug-ins.so> ;\n  rdfs:seeAlso <%s.ttl> .\n", export->name);
    print_presets(&presets, manifest, unit);
    unit_free(unit);
  }
  close_file(file);
  if (presets) close_file(presets);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
    return 64;
  }
  folder = arguments[1];
  FILE *manifest = open_file("manifest", ".ttl");
  fputs(
      "\n<" CLASS_INFO_URI ">\n  a rdf:Property , owl:DatatypeProperty ;\n  rdfs:label \"class info\" ;\n"
      "  rdfs:range xsd:base64Binary .\n",
      manifest);
  size_t export_count;
  const Export *table = exports(&export_count);
  for (size_t i = 0; i < export_count; i++) print_unit(manifest, &table[i]);
  close_file(manifest);
  return 0;
}
