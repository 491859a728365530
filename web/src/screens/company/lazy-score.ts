import { lazyPart } from '#web/ui/lazy/lazy-part.tsx'

/** The score with its reasons, for its tab and for printing. */
export const CompanyScore = lazyPart(() => import('./components/score/company-score.tsx'), {
  isPreloaded: true,
})
