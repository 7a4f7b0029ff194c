'use strict';

const { AuraError } = require('./error.cjs');
const { Context } = require('./context.cjs');
const { Engine } = require('./engine.cjs');
const { Policy } = require('./policy.cjs');
const { Session } = require('./session.cjs');
const { repair, verify } = require('./request.cjs');
const { debugLive, version } = require('./native.cjs');

module.exports = { AuraError, Context, Engine, Policy, Session, debugLive, repair, verify, version };
