export { type Check, CODES, type Code, canBeAsked } from './diagnosis';
export { checksOf, examine, whatIsSent } from './doctor';
export type { DoctorEnvironment, PageAround, PermissionState, System } from './environment';
export { nextSteps } from './next-steps';
export type { Report, Subject } from './subject';
