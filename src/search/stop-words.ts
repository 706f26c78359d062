/**
 * Words that do not tell what a text is about. They are not indexed, except in titles and names: a note may be called
 * "Go", and a query of nothing else is still answered.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are aren as at be because been before being both but by can could
  couldn d did didn do does doesn doing don during each few for from further get gets getting go going got had hadn
  has hasn have haven having he her here hers him his how i if in into is isn it its itself just let ll m me might
  more most my myself no nor not now of off on once only or other our ours out over own please re s same she should
  shouldn so some such t than that the their theirs them then there these they this those through to too under until
  up us ve very was wasn we were weren what when where which while who whom whose why will with won would wouldn you
  your yours yourself`.split(/\s+/),
);
