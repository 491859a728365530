import type { CompanyLink } from '#web/api/service.ts'

/** Whether the person has left the company, by the day in UTC. */
export const isPast = ({ until }: Pick<CompanyLink, 'until'>): boolean =>
  until !== null && until < new Date().toISOString().slice(0, 10)
