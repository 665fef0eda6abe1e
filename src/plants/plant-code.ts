/** What creating a plant refuses, beside the engine's own codes. Never reuse a number. */
export const PlantCode = {
  idTaken: 40901,
  storeDown: 50302,
  storeBusy: 50303,
  storeUncertain: 50305,
} as const;
