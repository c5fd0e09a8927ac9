var m2 = 2;
