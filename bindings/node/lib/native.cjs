'use strict';

// Finds the addon: the file that AURA_NODE_ADDON names, else the package for this platform.

const path = require('node:path');

const VARIABLE = 'AURA_NODE_ADDON';

function platform() {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== 'linux') return name;
  const glibc = process.report?.getReport?.().header?.glibcVersionRuntime;
  return `${name}-${glibc ? 'gnu' : 'musl'}`;
}

function load() {
  const file = process.env[VARIABLE];
  if (file) return require(path.resolve(file));
  const name = `@libaura/${platform()}`;
  try {
    return require(name);
  } catch (cause) {
    throw new Error(
      `libaura: the package ${name} cannot be loaded. It is an optional dependency of libaura: install without --omit=optional ` +
        `on the platform you run on, or name the addon's file by ${VARIABLE}.`,
      { cause },
    );
  }
}

const native = load();
const { library, header } = native.abiVersion();
if (Math.floor(library / 1000) !== Math.floor(header / 1000)) {
  throw new Error(`libaura: the library has interface ${library}, but this package needs ${header}`);
}

const KINDS = ['all', 'engine', 'policy', 'context', 'turn', 'cancel', 'buffer', 'error'];

/** How many native objects of a kind are alive in this process. */
function debugLive(kind = 'all') {
  const number = KINDS.indexOf(kind);
  if (number < 0) throw new RangeError(`kind must be one of ${KINDS.join(', ')}`);
  return native.debugLive(number);
}

const version = native.version();

module.exports = { debugLive, native, version };
