'use strict';

const { native } = require('./native.cjs');

/** A call failed. The texts never hold stored text. */
class AuraError extends Error {
  constructor(message, { status = 1, operation = '', field = null, context = [], causes = [] } = {}) {
    super(message);
    this.name = 'AuraError';
    /** The status as a number, the same in every language. */
    this.status = status;
    /** The status as a name, such as `AURA_NOT_FOUND`. */
    this.code = `AURA_${native.statusName(status).toUpperCase().replaceAll('-', '_')}`;
    this.operation = operation;
    this.field = field;
    this.context = context;
    this.causes = causes;
  }
}

/** The error for what the addon threw or rejected with. */
function raised(raw) {
  if (raw instanceof Error || typeof raw?.status !== 'number') return raw;
  const { message, context, ...rest } = raw;
  return new AuraError(message, { ...rest, context: JSON.parse(context || '[]') });
}

/** The error for an argument that JavaScript itself found wrong. */
function invalid(field, problem) {
  return new AuraError(`${field}: ${problem}`, { status: 1, field });
}

module.exports = { AuraError, invalid, raised };
