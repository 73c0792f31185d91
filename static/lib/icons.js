// Paths of the icons that several modules show, for `iconSvg`.

export const BACK = "M14 6l-6 6 6 6";
export const CLOSE = "M6 6l12 12M18 6L6 18";
export const FLIP = "M8 4v16M8 4L4 8M8 4l4 4M16 20V4M16 20l4-4M16 20l-4-4";
export const PEOPLE =
  "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6.5 6.5-6.5s6.5 2.5 6.5 6.5M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14c2.2 1 3.5 3 3.5 6";
export const SETTINGS = "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h7M15 17h5M15 5v4M9 10v4M13 15v4";
