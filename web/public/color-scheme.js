// Before the first paint, so that a dark screen does not flash. A file of its own: inline scripts are not allowed here.
const scheme = localStorage.getItem('mantine-color-scheme-value') ?? 'auto'
const isDark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
