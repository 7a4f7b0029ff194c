// One implementation for both kinds of modules, so that `instanceof` holds across them.
import aura from './index.cjs';

export const { AuraError, Context, Engine, Policy, Session, debugLive, repair, verify, version } = aura;
export default aura;
