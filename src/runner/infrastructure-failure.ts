import { PixelproofError } from '../errors';

/**
 * Plumbing failed: network, quota, wrong model, no recorded answer. Neither right nor wrong: the case stays open
 * and the run can be resumed. `code` is the provider's own (`provider_*`) or `answer_not_recorded`.
 */
export class InfrastructureFailure extends PixelproofError {}
