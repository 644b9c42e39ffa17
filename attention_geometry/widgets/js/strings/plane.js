// The words of a plane with points that move. Another language is another folder of these files.

export const point = "Point";
export const role = "point in the plane";
export const place = (x, y) => `x ${x}, y ${y}`;
export const moved = (name, place) => `${name}, ${place}.`;
export const coordinate = (axis) => `${axis} of the point`;
export const helpTitle = "Moving points with keys, or without dragging";
export const help = "Drag a point, or select it and use the arrow keys (Shift: larger steps, Home: back to the start). "
  + "Without dragging: select a point, then click where it should go, or type its coordinates.";
