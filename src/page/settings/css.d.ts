/** A style sheet as its text: it comes with the part of the page that it is for. */
declare module '*.css' {
  const text: string;
  export default text;
}
