// Runs before the first paint, so that a dark page does not flash. A file of its own because the CSP forbids inline
// scripts.
const scheme = localStorage.getItem('mantine-color-scheme-value') ?? 'auto'
const isDark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
