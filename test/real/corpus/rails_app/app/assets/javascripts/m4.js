var m4 = 4;
