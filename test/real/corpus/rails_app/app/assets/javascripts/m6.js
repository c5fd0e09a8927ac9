var m6 = 6;
