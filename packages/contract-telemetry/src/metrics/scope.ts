/** Whose instruments they are. */
export const SCOPE = { name: 'contract-telemetry', version: '1.0.0' };
