/** The known statuses of a company. Others are allowed. */
export const COMPANY_STATUSES = ['active', 'inactive', 'acquired', 'public'] as const
